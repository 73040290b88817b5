// Made from src/contract/schemas by .ci/generate.mjs: do not edit.
// @ts-nocheck
import { equal } from './equal.js'
import { formats } from './formats.js'
export const validatePlan = validate53;
const schema20 = {"title":"Plan","description":"An evaluation as planned: what foreproof register turns into a registration.","type":"object","required":["plan_version","name","mode","window","candidates","comparators","strata","provenance_required","outcomes"],"properties":{"plan_version":{"const":1},"name":{"type":"string","minLength":1,"pattern":"^[^\\u0000-\\u001f\\u007f]*$"},"mode":{"enum":["prospective","retrospective"]},"window":{"type":"object","required":["from","to"],"properties":{"from":{"$ref":"#/$defs/Timestamp"},"to":{"$ref":"#/$defs/Timestamp"}},"additionalProperties":false},"candidates":{"type":"array","items":{"$ref":"#/$defs/ModelReference"},"minItems":1},"comparators":{"description":"By the name under which the protocol requires it: the model behind it.","type":"object","additionalProperties":{"$ref":"#/$defs/ModelReference"}},"strata":{"type":"array","items":{"$ref":"#/$defs/StratumDefinition"}},"provenance_required":{"type":"boolean"},"outcomes":{"type":"object","required":["source"],"properties":{"source":{"type":"string","minLength":1},"vintage_id":{"type":"string","minLength":1},"vintage_sha256":{"type":"string","pattern":"^[0-9a-f]{64}$"}},"additionalProperties":false},"description":{"type":"string","minLength":1},"as_of":{"description":"Outcomes up to here count; by default the last target.","$ref":"#/$defs/Timestamp"},"baseline_pool":{"description":"By a name of the protocol's simple baseline pool: the built-in behind it.","type":"object","additionalProperties":{"type":"string","minLength":1,"pattern":"^[^\\u0000-\\u001f\\u007f]*$"}},"limits":{"type":"object","required":[],"properties":{"per_horizon_regression":{"description":"Largest tolerated increase of a horizon's point loss, relative.","type":"number","minimum":0},"directional_loss":{"description":"Largest tolerated increase of the direction error rate, absolute.","type":"number","minimum":0,"maximum":1},"direction_epsilon":{"description":"Log returns within plus or minus this have no direction.","type":"number","minimum":0}},"additionalProperties":false}},"additionalProperties":false};
const func1 = Object.prototype.hasOwnProperty;
const pattern3 = new RegExp("^[^\\u0000-\\u001f\\u007f]*$", "u");
const pattern8 = new RegExp("^[0-9a-f]{64}$", "u");
const schema21 = {"title":"Timestamp","description":"An RFC 3339 timestamp with an offset from UTC, to the microsecond at most.","type":"string","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$"};
const formats0 = { validate: formats["date-time"] };
const pattern4 = new RegExp("^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$", "u");

function validate54(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate54.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(typeof data === "string"){
if(!pattern4.test(data)){
const err0 = {instancePath,schemaPath:"#/pattern",keyword:"pattern",params:{pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(!(formats0.validate(data))){
const err1 = {instancePath,schemaPath:"#/format",keyword:"format",params:{format: "date-time"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate54.errors = vErrors;
return errors === 0;
}
validate54.evaluated = {"dynamicProps":false,"dynamicItems":false};

const schema22 = {"title":"ModelReference","description":"A model of the forecast history, or a built-in baseline.","type":"object","required":["source","name"],"properties":{"source":{"description":"From the forecast history, or computed from the closes by a built-in rule.","enum":["history","built_in"]},"name":{"type":"string","minLength":1,"pattern":"^[^\\u0000-\\u001f\\u007f]*$"}},"additionalProperties":false};

function validate57(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate57.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.source === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "source"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.name === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!((key0 === "source") || (key0 === "name"))){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.source !== undefined){
let data0 = data.source;
if(!((data0 === "history") || (data0 === "built_in"))){
const err3 = {instancePath:instancePath+"/source",schemaPath:"#/properties/source/enum",keyword:"enum",params:{allowedValues: schema22.properties.source.enum}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.name !== undefined){
let data1 = data.name;
if(typeof data1 === "string"){
if(data1.length < 1){
const err4 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(!pattern3.test(data1)){
const err5 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u001f\\u007f]*$"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate57.errors = vErrors;
return errors === 0;
}
validate57.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

const schema23 = {"title":"StratumDefinition","description":"A partition of the origins, by memberships or cut-points fixed beforehand.","type":"object","required":["name","by"],"properties":{"name":{"type":"string","minLength":1,"pattern":"^[^\\u0000-\\u001f\\u007f]*$"},"by":{"enum":["hour_of_day","weekday","period","regime","volatility","trailing_return","omitted"]},"levels":{"type":"array","items":{"type":"object","required":["level"],"properties":{"level":{"type":"string","minLength":1,"pattern":"^[^\\u0000-\\u001f\\u007f]*$"},"hours":{"description":"by hour_of_day: hours of the origin in UTC.","type":"array","items":{"type":"integer","minimum":0,"maximum":23},"uniqueItems":true,"minItems":1},"days":{"description":"by weekday: days of the origin in UTC.","type":"array","items":{"enum":["mon","tue","wed","thu","fri","sat","sun"]},"uniqueItems":true,"minItems":1},"regimes":{"description":"by regime: values of the regime that the history recorded with the origin.","type":"array","items":{"type":"string","minLength":1},"uniqueItems":true,"minItems":1},"below":{"description":"by volatility or trailing_return: upper cut-point, itself excluded.","type":"number"},"from":{"description":"by period: first origin, included.","$ref":"#/$defs/Timestamp"},"to":{"description":"by period: last origin, included.","$ref":"#/$defs/Timestamp"}},"additionalProperties":false},"minItems":1},"lookback_hours":{"description":"by volatility or trailing_return: hourly log returns looked back on.","type":"integer","minimum":1},"reason":{"description":"by omitted: why the stratum adds no test.","type":"string","minLength":1}},"additionalProperties":false};
const func0 = equal;

function validate60(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate60.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.name === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.by === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "by"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!(((((key0 === "name") || (key0 === "by")) || (key0 === "levels")) || (key0 === "lookback_hours")) || (key0 === "reason"))){
const err2 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.name !== undefined){
let data0 = data.name;
if(typeof data0 === "string"){
if(data0.length < 1){
const err3 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(!pattern3.test(data0)){
const err4 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u001f\\u007f]*$"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.by !== undefined){
let data1 = data.by;
if(!(((((((data1 === "hour_of_day") || (data1 === "weekday")) || (data1 === "period")) || (data1 === "regime")) || (data1 === "volatility")) || (data1 === "trailing_return")) || (data1 === "omitted"))){
const err6 = {instancePath:instancePath+"/by",schemaPath:"#/properties/by/enum",keyword:"enum",params:{allowedValues: schema23.properties.by.enum}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.levels !== undefined){
let data2 = data.levels;
if(Array.isArray(data2)){
if(data2.length < 1){
const err7 = {instancePath:instancePath+"/levels",schemaPath:"#/properties/levels/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
let data3 = data2[i0];
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
if(data3.level === undefined){
const err8 = {instancePath:instancePath+"/levels/" + i0,schemaPath:"#/properties/levels/items/required",keyword:"required",params:{missingProperty: "level"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
for(const key1 in data3){
if(!(((((((key1 === "level") || (key1 === "hours")) || (key1 === "days")) || (key1 === "regimes")) || (key1 === "below")) || (key1 === "from")) || (key1 === "to"))){
const err9 = {instancePath:instancePath+"/levels/" + i0,schemaPath:"#/properties/levels/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data3.level !== undefined){
let data4 = data3.level;
if(typeof data4 === "string"){
if(data4.length < 1){
const err10 = {instancePath:instancePath+"/levels/" + i0+"/level",schemaPath:"#/properties/levels/items/properties/level/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(!pattern3.test(data4)){
const err11 = {instancePath:instancePath+"/levels/" + i0+"/level",schemaPath:"#/properties/levels/items/properties/level/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u001f\\u007f]*$"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/levels/" + i0+"/level",schemaPath:"#/properties/levels/items/properties/level/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data3.hours !== undefined){
let data5 = data3.hours;
if(Array.isArray(data5)){
if(data5.length < 1){
const err13 = {instancePath:instancePath+"/levels/" + i0+"/hours",schemaPath:"#/properties/levels/items/properties/hours/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
const len1 = data5.length;
for(let i1=0; i1<len1; i1++){
let data6 = data5[i1];
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
const err14 = {instancePath:instancePath+"/levels/" + i0+"/hours/" + i1,schemaPath:"#/properties/levels/items/properties/hours/items/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 23 || isNaN(data6)){
const err15 = {instancePath:instancePath+"/levels/" + i0+"/hours/" + i1,schemaPath:"#/properties/levels/items/properties/hours/items/maximum",keyword:"maximum",params:{comparison: "<=", limit: 23}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(data6 < 0 || isNaN(data6)){
const err16 = {instancePath:instancePath+"/levels/" + i0+"/hours/" + i1,schemaPath:"#/properties/levels/items/properties/hours/items/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
}
let i2 = data5.length;
let j0;
if(i2 > 1){
const indices0 = {};
for(;i2--;){
let item0 = data5[i2];
if(!(((typeof item0 == "number") && (!(item0 % 1) && !isNaN(item0))) && (isFinite(item0)))){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
const err17 = {instancePath:instancePath+"/levels/" + i0+"/hours",schemaPath:"#/properties/levels/items/properties/hours/uniqueItems",keyword:"uniqueItems",params:{i: i2, j: j0}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
break;
}
indices0[item0] = i2;
}
}
}
else {
const err18 = {instancePath:instancePath+"/levels/" + i0+"/hours",schemaPath:"#/properties/levels/items/properties/hours/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data3.days !== undefined){
let data7 = data3.days;
if(Array.isArray(data7)){
if(data7.length < 1){
const err19 = {instancePath:instancePath+"/levels/" + i0+"/days",schemaPath:"#/properties/levels/items/properties/days/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
const len2 = data7.length;
for(let i3=0; i3<len2; i3++){
let data8 = data7[i3];
if(!(((((((data8 === "mon") || (data8 === "tue")) || (data8 === "wed")) || (data8 === "thu")) || (data8 === "fri")) || (data8 === "sat")) || (data8 === "sun"))){
const err20 = {instancePath:instancePath+"/levels/" + i0+"/days/" + i3,schemaPath:"#/properties/levels/items/properties/days/items/enum",keyword:"enum",params:{allowedValues: schema23.properties.levels.items.properties.days.items.enum}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
let i4 = data7.length;
let j1;
if(i4 > 1){
outer0:
for(;i4--;){
for(j1 = i4; j1--;){
if(func0(data7[i4], data7[j1])){
const err21 = {instancePath:instancePath+"/levels/" + i0+"/days",schemaPath:"#/properties/levels/items/properties/days/uniqueItems",keyword:"uniqueItems",params:{i: i4, j: j1}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
break outer0;
}
}
}
}
}
else {
const err22 = {instancePath:instancePath+"/levels/" + i0+"/days",schemaPath:"#/properties/levels/items/properties/days/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data3.regimes !== undefined){
let data9 = data3.regimes;
if(Array.isArray(data9)){
if(data9.length < 1){
const err23 = {instancePath:instancePath+"/levels/" + i0+"/regimes",schemaPath:"#/properties/levels/items/properties/regimes/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
const len3 = data9.length;
for(let i5=0; i5<len3; i5++){
let data10 = data9[i5];
if(typeof data10 === "string"){
if(data10.length < 1){
const err24 = {instancePath:instancePath+"/levels/" + i0+"/regimes/" + i5,schemaPath:"#/properties/levels/items/properties/regimes/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
else {
const err25 = {instancePath:instancePath+"/levels/" + i0+"/regimes/" + i5,schemaPath:"#/properties/levels/items/properties/regimes/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
let i6 = data9.length;
let j2;
if(i6 > 1){
const indices1 = {};
for(;i6--;){
let item1 = data9[i6];
if(typeof item1 !== "string"){
continue;
}
if(typeof indices1[item1] == "number"){
j2 = indices1[item1];
const err26 = {instancePath:instancePath+"/levels/" + i0+"/regimes",schemaPath:"#/properties/levels/items/properties/regimes/uniqueItems",keyword:"uniqueItems",params:{i: i6, j: j2}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
break;
}
indices1[item1] = i6;
}
}
}
else {
const err27 = {instancePath:instancePath+"/levels/" + i0+"/regimes",schemaPath:"#/properties/levels/items/properties/regimes/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data3.below !== undefined){
let data11 = data3.below;
if(!((typeof data11 == "number") && (isFinite(data11)))){
const err28 = {instancePath:instancePath+"/levels/" + i0+"/below",schemaPath:"#/properties/levels/items/properties/below/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data3.from !== undefined){
if(!(validate54(data3.from, {instancePath:instancePath+"/levels/" + i0+"/from",parentData:data3,parentDataProperty:"from",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
if(data3.to !== undefined){
if(!(validate54(data3.to, {instancePath:instancePath+"/levels/" + i0+"/to",parentData:data3,parentDataProperty:"to",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
}
else {
const err29 = {instancePath:instancePath+"/levels/" + i0,schemaPath:"#/properties/levels/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
}
else {
const err30 = {instancePath:instancePath+"/levels",schemaPath:"#/properties/levels/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
if(data.lookback_hours !== undefined){
let data14 = data.lookback_hours;
if(!(((typeof data14 == "number") && (!(data14 % 1) && !isNaN(data14))) && (isFinite(data14)))){
const err31 = {instancePath:instancePath+"/lookback_hours",schemaPath:"#/properties/lookback_hours/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
if((typeof data14 == "number") && (isFinite(data14))){
if(data14 < 1 || isNaN(data14)){
const err32 = {instancePath:instancePath+"/lookback_hours",schemaPath:"#/properties/lookback_hours/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
}
if(data.reason !== undefined){
let data15 = data.reason;
if(typeof data15 === "string"){
if(data15.length < 1){
const err33 = {instancePath:instancePath+"/reason",schemaPath:"#/properties/reason/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
else {
const err34 = {instancePath:instancePath+"/reason",schemaPath:"#/properties/reason/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
}
else {
const err35 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
validate60.errors = vErrors;
return errors === 0;
}
validate60.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};


function validate53(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate53.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.plan_version === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "plan_version"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.name === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.mode === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "mode"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.window === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "window"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.candidates === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "candidates"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.comparators === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "comparators"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data.strata === undefined){
const err6 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "strata"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data.provenance_required === undefined){
const err7 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "provenance_required"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data.outcomes === undefined){
const err8 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "outcomes"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
for(const key0 in data){
if(!(func1.call(schema20.properties, key0))){
const err9 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.plan_version !== undefined){
if(1 !== data.plan_version){
const err10 = {instancePath:instancePath+"/plan_version",schemaPath:"#/properties/plan_version/const",keyword:"const",params:{allowedValue: 1}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.name !== undefined){
let data1 = data.name;
if(typeof data1 === "string"){
if(data1.length < 1){
const err11 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(!pattern3.test(data1)){
const err12 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u001f\\u007f]*$"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
else {
const err13 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.mode !== undefined){
let data2 = data.mode;
if(!((data2 === "prospective") || (data2 === "retrospective"))){
const err14 = {instancePath:instancePath+"/mode",schemaPath:"#/properties/mode/enum",keyword:"enum",params:{allowedValues: schema20.properties.mode.enum}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.window !== undefined){
let data3 = data.window;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
if(data3.from === undefined){
const err15 = {instancePath:instancePath+"/window",schemaPath:"#/properties/window/required",keyword:"required",params:{missingProperty: "from"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(data3.to === undefined){
const err16 = {instancePath:instancePath+"/window",schemaPath:"#/properties/window/required",keyword:"required",params:{missingProperty: "to"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
for(const key1 in data3){
if(!((key1 === "from") || (key1 === "to"))){
const err17 = {instancePath:instancePath+"/window",schemaPath:"#/properties/window/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data3.from !== undefined){
if(!(validate54(data3.from, {instancePath:instancePath+"/window/from",parentData:data3,parentDataProperty:"from",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
if(data3.to !== undefined){
if(!(validate54(data3.to, {instancePath:instancePath+"/window/to",parentData:data3,parentDataProperty:"to",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
}
else {
const err18 = {instancePath:instancePath+"/window",schemaPath:"#/properties/window/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.candidates !== undefined){
let data6 = data.candidates;
if(Array.isArray(data6)){
if(data6.length < 1){
const err19 = {instancePath:instancePath+"/candidates",schemaPath:"#/properties/candidates/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
const len0 = data6.length;
for(let i0=0; i0<len0; i0++){
if(!(validate57(data6[i0], {instancePath:instancePath+"/candidates/" + i0,parentData:data6,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate57.errors : vErrors.concat(validate57.errors);
errors = vErrors.length;
}
}
}
else {
const err20 = {instancePath:instancePath+"/candidates",schemaPath:"#/properties/candidates/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data.comparators !== undefined){
let data8 = data.comparators;
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
for(const key2 in data8){
if(!(validate57(data8[key2], {instancePath:instancePath+"/comparators/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data8,parentDataProperty:key2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate57.errors : vErrors.concat(validate57.errors);
errors = vErrors.length;
}
}
}
else {
const err21 = {instancePath:instancePath+"/comparators",schemaPath:"#/properties/comparators/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data.strata !== undefined){
let data10 = data.strata;
if(Array.isArray(data10)){
const len1 = data10.length;
for(let i1=0; i1<len1; i1++){
if(!(validate60(data10[i1], {instancePath:instancePath+"/strata/" + i1,parentData:data10,parentDataProperty:i1,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
}
}
else {
const err22 = {instancePath:instancePath+"/strata",schemaPath:"#/properties/strata/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data.provenance_required !== undefined){
if(typeof data.provenance_required !== "boolean"){
const err23 = {instancePath:instancePath+"/provenance_required",schemaPath:"#/properties/provenance_required/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data.outcomes !== undefined){
let data13 = data.outcomes;
if(data13 && typeof data13 == "object" && !Array.isArray(data13)){
if(data13.source === undefined){
const err24 = {instancePath:instancePath+"/outcomes",schemaPath:"#/properties/outcomes/required",keyword:"required",params:{missingProperty: "source"}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
for(const key3 in data13){
if(!(((key3 === "source") || (key3 === "vintage_id")) || (key3 === "vintage_sha256"))){
const err25 = {instancePath:instancePath+"/outcomes",schemaPath:"#/properties/outcomes/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data13.source !== undefined){
let data14 = data13.source;
if(typeof data14 === "string"){
if(data14.length < 1){
const err26 = {instancePath:instancePath+"/outcomes/source",schemaPath:"#/properties/outcomes/properties/source/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
else {
const err27 = {instancePath:instancePath+"/outcomes/source",schemaPath:"#/properties/outcomes/properties/source/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data13.vintage_id !== undefined){
let data15 = data13.vintage_id;
if(typeof data15 === "string"){
if(data15.length < 1){
const err28 = {instancePath:instancePath+"/outcomes/vintage_id",schemaPath:"#/properties/outcomes/properties/vintage_id/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
else {
const err29 = {instancePath:instancePath+"/outcomes/vintage_id",schemaPath:"#/properties/outcomes/properties/vintage_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
if(data13.vintage_sha256 !== undefined){
let data16 = data13.vintage_sha256;
if(typeof data16 === "string"){
if(!pattern8.test(data16)){
const err30 = {instancePath:instancePath+"/outcomes/vintage_sha256",schemaPath:"#/properties/outcomes/properties/vintage_sha256/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
else {
const err31 = {instancePath:instancePath+"/outcomes/vintage_sha256",schemaPath:"#/properties/outcomes/properties/vintage_sha256/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
}
else {
const err32 = {instancePath:instancePath+"/outcomes",schemaPath:"#/properties/outcomes/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
if(data.description !== undefined){
let data17 = data.description;
if(typeof data17 === "string"){
if(data17.length < 1){
const err33 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
else {
const err34 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
if(data.as_of !== undefined){
if(!(validate54(data.as_of, {instancePath:instancePath+"/as_of",parentData:data,parentDataProperty:"as_of",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
if(data.baseline_pool !== undefined){
let data19 = data.baseline_pool;
if(data19 && typeof data19 == "object" && !Array.isArray(data19)){
for(const key4 in data19){
let data20 = data19[key4];
if(typeof data20 === "string"){
if(data20.length < 1){
const err35 = {instancePath:instancePath+"/baseline_pool/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/baseline_pool/additionalProperties/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
if(!pattern3.test(data20)){
const err36 = {instancePath:instancePath+"/baseline_pool/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/baseline_pool/additionalProperties/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u001f\\u007f]*$"}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
else {
const err37 = {instancePath:instancePath+"/baseline_pool/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/baseline_pool/additionalProperties/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
}
else {
const err38 = {instancePath:instancePath+"/baseline_pool",schemaPath:"#/properties/baseline_pool/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
if(data.limits !== undefined){
let data21 = data.limits;
if(data21 && typeof data21 == "object" && !Array.isArray(data21)){
for(const key5 in data21){
if(!(((key5 === "per_horizon_regression") || (key5 === "directional_loss")) || (key5 === "direction_epsilon"))){
const err39 = {instancePath:instancePath+"/limits",schemaPath:"#/properties/limits/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5}};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
if(data21.per_horizon_regression !== undefined){
let data22 = data21.per_horizon_regression;
if((typeof data22 == "number") && (isFinite(data22))){
if(data22 < 0 || isNaN(data22)){
const err40 = {instancePath:instancePath+"/limits/per_horizon_regression",schemaPath:"#/properties/limits/properties/per_horizon_regression/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
else {
const err41 = {instancePath:instancePath+"/limits/per_horizon_regression",schemaPath:"#/properties/limits/properties/per_horizon_regression/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
if(data21.directional_loss !== undefined){
let data23 = data21.directional_loss;
if((typeof data23 == "number") && (isFinite(data23))){
if(data23 > 1 || isNaN(data23)){
const err42 = {instancePath:instancePath+"/limits/directional_loss",schemaPath:"#/properties/limits/properties/directional_loss/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1}};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
if(data23 < 0 || isNaN(data23)){
const err43 = {instancePath:instancePath+"/limits/directional_loss",schemaPath:"#/properties/limits/properties/directional_loss/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
else {
const err44 = {instancePath:instancePath+"/limits/directional_loss",schemaPath:"#/properties/limits/properties/directional_loss/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
if(data21.direction_epsilon !== undefined){
let data24 = data21.direction_epsilon;
if((typeof data24 == "number") && (isFinite(data24))){
if(data24 < 0 || isNaN(data24)){
const err45 = {instancePath:instancePath+"/limits/direction_epsilon",schemaPath:"#/properties/limits/properties/direction_epsilon/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
else {
const err46 = {instancePath:instancePath+"/limits/direction_epsilon",schemaPath:"#/properties/limits/properties/direction_epsilon/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
}
else {
const err47 = {instancePath:instancePath+"/limits",schemaPath:"#/properties/limits/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
}
else {
const err48 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
validate53.errors = vErrors;
return errors === 0;
}
validate53.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const validateRegistration = validate65;
const schema24 = {"title":"Registration","description":"One evaluation with every test by name, fixed before any outcome was read.","type":"object","required":["registration_version","registration_sha256","name","registered_at","mode","protocol","window","as_of","horizons_hours","candidates","comparators","baseline_pool","strata","limits","provenance_required","outcomes","family_size","family_sha256","family"],"properties":{"registration_version":{"const":1},"registration_sha256":{"type":"string","pattern":"^[0-9a-f]{64}$"},"name":{"type":"string","minLength":1,"pattern":"^[^\\u0000-\\u001f\\u007f]*$"},"registered_at":{"$ref":"#/$defs/Timestamp"},"mode":{"enum":["prospective","retrospective"]},"protocol":{"type":"object","required":["version","sha256"],"properties":{"version":{"type":"string","minLength":1},"sha256":{"type":"string","pattern":"^[0-9a-f]{64}$"}},"additionalProperties":false},"window":{"type":"object","required":["from","to","origins"],"properties":{"from":{"$ref":"#/$defs/Timestamp"},"to":{"$ref":"#/$defs/Timestamp"},"origins":{"description":"Hourly origins, first and last included.","type":"integer","minimum":1}},"additionalProperties":false},"as_of":{"$ref":"#/$defs/Timestamp"},"horizons_hours":{"type":"array","items":{"type":"integer","minimum":1},"uniqueItems":true,"minItems":1},"candidates":{"type":"array","items":{"$ref":"#/$defs/ModelReference"},"minItems":1},"comparators":{"type":"array","minItems":1,"items":{"type":"object","required":["source","name","required_as"],"properties":{"source":{"description":"From the forecast history, or computed from the closes by a built-in rule.","enum":["history","built_in"]},"name":{"type":"string","minLength":1,"pattern":"^[^\\u0000-\\u001f\\u007f]*$"},"required_as":{"description":"The names under which the protocol requires it.","type":"array","items":{"type":"string","minLength":1},"uniqueItems":true,"minItems":1}},"additionalProperties":false}},"baseline_pool":{"description":"What strongest_simple chooses from; empty where it is not used.","type":"array","items":{"type":"string","minLength":1,"pattern":"^[^\\u0000-\\u001f\\u007f]*$"},"uniqueItems":true},"strata":{"type":"array","items":{"$ref":"#/$defs/StratumDefinition"}},"limits":{"type":"object","required":["per_horizon_regression","directional_loss","direction_epsilon"],"properties":{"per_horizon_regression":{"description":"Largest tolerated increase of a horizon's point loss, relative.","type":"number","minimum":0},"directional_loss":{"description":"Largest tolerated increase of the direction error rate, absolute.","type":"number","minimum":0,"maximum":1},"direction_epsilon":{"description":"Log returns within plus or minus this have no direction.","type":"number","minimum":0}},"additionalProperties":false},"provenance_required":{"type":"boolean"},"outcomes":{"type":"object","required":["source","vintage_id","vintage_sha256"],"properties":{"source":{"type":"string","minLength":1},"vintage_id":{"type":["string","null"]},"vintage_sha256":{"type":["string","null"],"pattern":"^[0-9a-f]{64}$"}},"additionalProperties":false},"family_size":{"type":"integer","minimum":1},"family_sha256":{"type":"string","pattern":"^[0-9a-f]{64}$"},"family":{"description":"The name of every test, in the order of the family.","type":"array","items":{"type":"string","minLength":1},"uniqueItems":true,"minItems":1},"description":{"type":"string","minLength":1}},"additionalProperties":false};

function validate65(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate65.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.registration_version === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "registration_version"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.registration_sha256 === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "registration_sha256"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.name === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.registered_at === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "registered_at"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.mode === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "mode"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.protocol === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "protocol"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data.window === undefined){
const err6 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "window"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data.as_of === undefined){
const err7 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "as_of"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data.horizons_hours === undefined){
const err8 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "horizons_hours"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data.candidates === undefined){
const err9 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "candidates"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(data.comparators === undefined){
const err10 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "comparators"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(data.baseline_pool === undefined){
const err11 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "baseline_pool"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(data.strata === undefined){
const err12 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "strata"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(data.limits === undefined){
const err13 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "limits"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(data.provenance_required === undefined){
const err14 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "provenance_required"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(data.outcomes === undefined){
const err15 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "outcomes"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(data.family_size === undefined){
const err16 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "family_size"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(data.family_sha256 === undefined){
const err17 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "family_sha256"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if(data.family === undefined){
const err18 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "family"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
for(const key0 in data){
if(!(func1.call(schema24.properties, key0))){
const err19 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.registration_version !== undefined){
if(1 !== data.registration_version){
const err20 = {instancePath:instancePath+"/registration_version",schemaPath:"#/properties/registration_version/const",keyword:"const",params:{allowedValue: 1}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data.registration_sha256 !== undefined){
let data1 = data.registration_sha256;
if(typeof data1 === "string"){
if(!pattern8.test(data1)){
const err21 = {instancePath:instancePath+"/registration_sha256",schemaPath:"#/properties/registration_sha256/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
else {
const err22 = {instancePath:instancePath+"/registration_sha256",schemaPath:"#/properties/registration_sha256/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data.name !== undefined){
let data2 = data.name;
if(typeof data2 === "string"){
if(data2.length < 1){
const err23 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
if(!pattern3.test(data2)){
const err24 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u001f\\u007f]*$"}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
else {
const err25 = {instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data.registered_at !== undefined){
if(!(validate54(data.registered_at, {instancePath:instancePath+"/registered_at",parentData:data,parentDataProperty:"registered_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
if(data.mode !== undefined){
let data4 = data.mode;
if(!((data4 === "prospective") || (data4 === "retrospective"))){
const err26 = {instancePath:instancePath+"/mode",schemaPath:"#/properties/mode/enum",keyword:"enum",params:{allowedValues: schema24.properties.mode.enum}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data.protocol !== undefined){
let data5 = data.protocol;
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
if(data5.version === undefined){
const err27 = {instancePath:instancePath+"/protocol",schemaPath:"#/properties/protocol/required",keyword:"required",params:{missingProperty: "version"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
if(data5.sha256 === undefined){
const err28 = {instancePath:instancePath+"/protocol",schemaPath:"#/properties/protocol/required",keyword:"required",params:{missingProperty: "sha256"}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
for(const key1 in data5){
if(!((key1 === "version") || (key1 === "sha256"))){
const err29 = {instancePath:instancePath+"/protocol",schemaPath:"#/properties/protocol/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
if(data5.version !== undefined){
let data6 = data5.version;
if(typeof data6 === "string"){
if(data6.length < 1){
const err30 = {instancePath:instancePath+"/protocol/version",schemaPath:"#/properties/protocol/properties/version/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
else {
const err31 = {instancePath:instancePath+"/protocol/version",schemaPath:"#/properties/protocol/properties/version/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data5.sha256 !== undefined){
let data7 = data5.sha256;
if(typeof data7 === "string"){
if(!pattern8.test(data7)){
const err32 = {instancePath:instancePath+"/protocol/sha256",schemaPath:"#/properties/protocol/properties/sha256/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
else {
const err33 = {instancePath:instancePath+"/protocol/sha256",schemaPath:"#/properties/protocol/properties/sha256/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
}
else {
const err34 = {instancePath:instancePath+"/protocol",schemaPath:"#/properties/protocol/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
if(data.window !== undefined){
let data8 = data.window;
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
if(data8.from === undefined){
const err35 = {instancePath:instancePath+"/window",schemaPath:"#/properties/window/required",keyword:"required",params:{missingProperty: "from"}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
if(data8.to === undefined){
const err36 = {instancePath:instancePath+"/window",schemaPath:"#/properties/window/required",keyword:"required",params:{missingProperty: "to"}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
if(data8.origins === undefined){
const err37 = {instancePath:instancePath+"/window",schemaPath:"#/properties/window/required",keyword:"required",params:{missingProperty: "origins"}};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
for(const key2 in data8){
if(!(((key2 === "from") || (key2 === "to")) || (key2 === "origins"))){
const err38 = {instancePath:instancePath+"/window",schemaPath:"#/properties/window/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
if(data8.from !== undefined){
if(!(validate54(data8.from, {instancePath:instancePath+"/window/from",parentData:data8,parentDataProperty:"from",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
if(data8.to !== undefined){
if(!(validate54(data8.to, {instancePath:instancePath+"/window/to",parentData:data8,parentDataProperty:"to",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
if(data8.origins !== undefined){
let data11 = data8.origins;
if(!(((typeof data11 == "number") && (!(data11 % 1) && !isNaN(data11))) && (isFinite(data11)))){
const err39 = {instancePath:instancePath+"/window/origins",schemaPath:"#/properties/window/properties/origins/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 < 1 || isNaN(data11)){
const err40 = {instancePath:instancePath+"/window/origins",schemaPath:"#/properties/window/properties/origins/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
}
}
else {
const err41 = {instancePath:instancePath+"/window",schemaPath:"#/properties/window/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
if(data.as_of !== undefined){
if(!(validate54(data.as_of, {instancePath:instancePath+"/as_of",parentData:data,parentDataProperty:"as_of",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
if(data.horizons_hours !== undefined){
let data13 = data.horizons_hours;
if(Array.isArray(data13)){
if(data13.length < 1){
const err42 = {instancePath:instancePath+"/horizons_hours",schemaPath:"#/properties/horizons_hours/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
const len0 = data13.length;
for(let i0=0; i0<len0; i0++){
let data14 = data13[i0];
if(!(((typeof data14 == "number") && (!(data14 % 1) && !isNaN(data14))) && (isFinite(data14)))){
const err43 = {instancePath:instancePath+"/horizons_hours/" + i0,schemaPath:"#/properties/horizons_hours/items/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
if((typeof data14 == "number") && (isFinite(data14))){
if(data14 < 1 || isNaN(data14)){
const err44 = {instancePath:instancePath+"/horizons_hours/" + i0,schemaPath:"#/properties/horizons_hours/items/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
}
let i1 = data13.length;
let j0;
if(i1 > 1){
const indices0 = {};
for(;i1--;){
let item0 = data13[i1];
if(!(((typeof item0 == "number") && (!(item0 % 1) && !isNaN(item0))) && (isFinite(item0)))){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
const err45 = {instancePath:instancePath+"/horizons_hours",schemaPath:"#/properties/horizons_hours/uniqueItems",keyword:"uniqueItems",params:{i: i1, j: j0}};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
break;
}
indices0[item0] = i1;
}
}
}
else {
const err46 = {instancePath:instancePath+"/horizons_hours",schemaPath:"#/properties/horizons_hours/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
if(data.candidates !== undefined){
let data15 = data.candidates;
if(Array.isArray(data15)){
if(data15.length < 1){
const err47 = {instancePath:instancePath+"/candidates",schemaPath:"#/properties/candidates/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
const len1 = data15.length;
for(let i2=0; i2<len1; i2++){
if(!(validate57(data15[i2], {instancePath:instancePath+"/candidates/" + i2,parentData:data15,parentDataProperty:i2,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate57.errors : vErrors.concat(validate57.errors);
errors = vErrors.length;
}
}
}
else {
const err48 = {instancePath:instancePath+"/candidates",schemaPath:"#/properties/candidates/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
if(data.comparators !== undefined){
let data17 = data.comparators;
if(Array.isArray(data17)){
if(data17.length < 1){
const err49 = {instancePath:instancePath+"/comparators",schemaPath:"#/properties/comparators/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
const len2 = data17.length;
for(let i3=0; i3<len2; i3++){
let data18 = data17[i3];
if(data18 && typeof data18 == "object" && !Array.isArray(data18)){
if(data18.source === undefined){
const err50 = {instancePath:instancePath+"/comparators/" + i3,schemaPath:"#/properties/comparators/items/required",keyword:"required",params:{missingProperty: "source"}};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
if(data18.name === undefined){
const err51 = {instancePath:instancePath+"/comparators/" + i3,schemaPath:"#/properties/comparators/items/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
if(data18.required_as === undefined){
const err52 = {instancePath:instancePath+"/comparators/" + i3,schemaPath:"#/properties/comparators/items/required",keyword:"required",params:{missingProperty: "required_as"}};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
for(const key3 in data18){
if(!(((key3 === "source") || (key3 === "name")) || (key3 === "required_as"))){
const err53 = {instancePath:instancePath+"/comparators/" + i3,schemaPath:"#/properties/comparators/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3}};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
}
if(data18.source !== undefined){
let data19 = data18.source;
if(!((data19 === "history") || (data19 === "built_in"))){
const err54 = {instancePath:instancePath+"/comparators/" + i3+"/source",schemaPath:"#/properties/comparators/items/properties/source/enum",keyword:"enum",params:{allowedValues: schema24.properties.comparators.items.properties.source.enum}};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
if(data18.name !== undefined){
let data20 = data18.name;
if(typeof data20 === "string"){
if(data20.length < 1){
const err55 = {instancePath:instancePath+"/comparators/" + i3+"/name",schemaPath:"#/properties/comparators/items/properties/name/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
if(!pattern3.test(data20)){
const err56 = {instancePath:instancePath+"/comparators/" + i3+"/name",schemaPath:"#/properties/comparators/items/properties/name/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u001f\\u007f]*$"}};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
}
else {
const err57 = {instancePath:instancePath+"/comparators/" + i3+"/name",schemaPath:"#/properties/comparators/items/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
}
if(data18.required_as !== undefined){
let data21 = data18.required_as;
if(Array.isArray(data21)){
if(data21.length < 1){
const err58 = {instancePath:instancePath+"/comparators/" + i3+"/required_as",schemaPath:"#/properties/comparators/items/properties/required_as/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
const len3 = data21.length;
for(let i4=0; i4<len3; i4++){
let data22 = data21[i4];
if(typeof data22 === "string"){
if(data22.length < 1){
const err59 = {instancePath:instancePath+"/comparators/" + i3+"/required_as/" + i4,schemaPath:"#/properties/comparators/items/properties/required_as/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
}
else {
const err60 = {instancePath:instancePath+"/comparators/" + i3+"/required_as/" + i4,schemaPath:"#/properties/comparators/items/properties/required_as/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
}
let i5 = data21.length;
let j1;
if(i5 > 1){
const indices1 = {};
for(;i5--;){
let item1 = data21[i5];
if(typeof item1 !== "string"){
continue;
}
if(typeof indices1[item1] == "number"){
j1 = indices1[item1];
const err61 = {instancePath:instancePath+"/comparators/" + i3+"/required_as",schemaPath:"#/properties/comparators/items/properties/required_as/uniqueItems",keyword:"uniqueItems",params:{i: i5, j: j1}};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
break;
}
indices1[item1] = i5;
}
}
}
else {
const err62 = {instancePath:instancePath+"/comparators/" + i3+"/required_as",schemaPath:"#/properties/comparators/items/properties/required_as/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
}
}
else {
const err63 = {instancePath:instancePath+"/comparators/" + i3,schemaPath:"#/properties/comparators/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
}
}
else {
const err64 = {instancePath:instancePath+"/comparators",schemaPath:"#/properties/comparators/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
}
if(data.baseline_pool !== undefined){
let data23 = data.baseline_pool;
if(Array.isArray(data23)){
const len4 = data23.length;
for(let i6=0; i6<len4; i6++){
let data24 = data23[i6];
if(typeof data24 === "string"){
if(data24.length < 1){
const err65 = {instancePath:instancePath+"/baseline_pool/" + i6,schemaPath:"#/properties/baseline_pool/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
if(!pattern3.test(data24)){
const err66 = {instancePath:instancePath+"/baseline_pool/" + i6,schemaPath:"#/properties/baseline_pool/items/pattern",keyword:"pattern",params:{pattern: "^[^\\u0000-\\u001f\\u007f]*$"}};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
}
else {
const err67 = {instancePath:instancePath+"/baseline_pool/" + i6,schemaPath:"#/properties/baseline_pool/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
}
let i7 = data23.length;
let j2;
if(i7 > 1){
const indices2 = {};
for(;i7--;){
let item2 = data23[i7];
if(typeof item2 !== "string"){
continue;
}
if(typeof indices2[item2] == "number"){
j2 = indices2[item2];
const err68 = {instancePath:instancePath+"/baseline_pool",schemaPath:"#/properties/baseline_pool/uniqueItems",keyword:"uniqueItems",params:{i: i7, j: j2}};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
break;
}
indices2[item2] = i7;
}
}
}
else {
const err69 = {instancePath:instancePath+"/baseline_pool",schemaPath:"#/properties/baseline_pool/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
}
if(data.strata !== undefined){
let data25 = data.strata;
if(Array.isArray(data25)){
const len5 = data25.length;
for(let i8=0; i8<len5; i8++){
if(!(validate60(data25[i8], {instancePath:instancePath+"/strata/" + i8,parentData:data25,parentDataProperty:i8,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
errors = vErrors.length;
}
}
}
else {
const err70 = {instancePath:instancePath+"/strata",schemaPath:"#/properties/strata/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
}
if(data.limits !== undefined){
let data27 = data.limits;
if(data27 && typeof data27 == "object" && !Array.isArray(data27)){
if(data27.per_horizon_regression === undefined){
const err71 = {instancePath:instancePath+"/limits",schemaPath:"#/properties/limits/required",keyword:"required",params:{missingProperty: "per_horizon_regression"}};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
if(data27.directional_loss === undefined){
const err72 = {instancePath:instancePath+"/limits",schemaPath:"#/properties/limits/required",keyword:"required",params:{missingProperty: "directional_loss"}};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
if(data27.direction_epsilon === undefined){
const err73 = {instancePath:instancePath+"/limits",schemaPath:"#/properties/limits/required",keyword:"required",params:{missingProperty: "direction_epsilon"}};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
for(const key4 in data27){
if(!(((key4 === "per_horizon_regression") || (key4 === "directional_loss")) || (key4 === "direction_epsilon"))){
const err74 = {instancePath:instancePath+"/limits",schemaPath:"#/properties/limits/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4}};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
}
if(data27.per_horizon_regression !== undefined){
let data28 = data27.per_horizon_regression;
if((typeof data28 == "number") && (isFinite(data28))){
if(data28 < 0 || isNaN(data28)){
const err75 = {instancePath:instancePath+"/limits/per_horizon_regression",schemaPath:"#/properties/limits/properties/per_horizon_regression/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
}
else {
const err76 = {instancePath:instancePath+"/limits/per_horizon_regression",schemaPath:"#/properties/limits/properties/per_horizon_regression/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
}
if(data27.directional_loss !== undefined){
let data29 = data27.directional_loss;
if((typeof data29 == "number") && (isFinite(data29))){
if(data29 > 1 || isNaN(data29)){
const err77 = {instancePath:instancePath+"/limits/directional_loss",schemaPath:"#/properties/limits/properties/directional_loss/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1}};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
if(data29 < 0 || isNaN(data29)){
const err78 = {instancePath:instancePath+"/limits/directional_loss",schemaPath:"#/properties/limits/properties/directional_loss/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
}
}
else {
const err79 = {instancePath:instancePath+"/limits/directional_loss",schemaPath:"#/properties/limits/properties/directional_loss/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
}
}
if(data27.direction_epsilon !== undefined){
let data30 = data27.direction_epsilon;
if((typeof data30 == "number") && (isFinite(data30))){
if(data30 < 0 || isNaN(data30)){
const err80 = {instancePath:instancePath+"/limits/direction_epsilon",schemaPath:"#/properties/limits/properties/direction_epsilon/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
}
}
else {
const err81 = {instancePath:instancePath+"/limits/direction_epsilon",schemaPath:"#/properties/limits/properties/direction_epsilon/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err81];
}
else {
vErrors.push(err81);
}
errors++;
}
}
}
else {
const err82 = {instancePath:instancePath+"/limits",schemaPath:"#/properties/limits/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err82];
}
else {
vErrors.push(err82);
}
errors++;
}
}
if(data.provenance_required !== undefined){
if(typeof data.provenance_required !== "boolean"){
const err83 = {instancePath:instancePath+"/provenance_required",schemaPath:"#/properties/provenance_required/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err83];
}
else {
vErrors.push(err83);
}
errors++;
}
}
if(data.outcomes !== undefined){
let data32 = data.outcomes;
if(data32 && typeof data32 == "object" && !Array.isArray(data32)){
if(data32.source === undefined){
const err84 = {instancePath:instancePath+"/outcomes",schemaPath:"#/properties/outcomes/required",keyword:"required",params:{missingProperty: "source"}};
if(vErrors === null){
vErrors = [err84];
}
else {
vErrors.push(err84);
}
errors++;
}
if(data32.vintage_id === undefined){
const err85 = {instancePath:instancePath+"/outcomes",schemaPath:"#/properties/outcomes/required",keyword:"required",params:{missingProperty: "vintage_id"}};
if(vErrors === null){
vErrors = [err85];
}
else {
vErrors.push(err85);
}
errors++;
}
if(data32.vintage_sha256 === undefined){
const err86 = {instancePath:instancePath+"/outcomes",schemaPath:"#/properties/outcomes/required",keyword:"required",params:{missingProperty: "vintage_sha256"}};
if(vErrors === null){
vErrors = [err86];
}
else {
vErrors.push(err86);
}
errors++;
}
for(const key5 in data32){
if(!(((key5 === "source") || (key5 === "vintage_id")) || (key5 === "vintage_sha256"))){
const err87 = {instancePath:instancePath+"/outcomes",schemaPath:"#/properties/outcomes/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5}};
if(vErrors === null){
vErrors = [err87];
}
else {
vErrors.push(err87);
}
errors++;
}
}
if(data32.source !== undefined){
let data33 = data32.source;
if(typeof data33 === "string"){
if(data33.length < 1){
const err88 = {instancePath:instancePath+"/outcomes/source",schemaPath:"#/properties/outcomes/properties/source/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err88];
}
else {
vErrors.push(err88);
}
errors++;
}
}
else {
const err89 = {instancePath:instancePath+"/outcomes/source",schemaPath:"#/properties/outcomes/properties/source/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err89];
}
else {
vErrors.push(err89);
}
errors++;
}
}
if(data32.vintage_id !== undefined){
let data34 = data32.vintage_id;
if((typeof data34 !== "string") && (data34 !== null)){
const err90 = {instancePath:instancePath+"/outcomes/vintage_id",schemaPath:"#/properties/outcomes/properties/vintage_id/type",keyword:"type",params:{type: schema24.properties.outcomes.properties.vintage_id.type}};
if(vErrors === null){
vErrors = [err90];
}
else {
vErrors.push(err90);
}
errors++;
}
}
if(data32.vintage_sha256 !== undefined){
let data35 = data32.vintage_sha256;
if((typeof data35 !== "string") && (data35 !== null)){
const err91 = {instancePath:instancePath+"/outcomes/vintage_sha256",schemaPath:"#/properties/outcomes/properties/vintage_sha256/type",keyword:"type",params:{type: schema24.properties.outcomes.properties.vintage_sha256.type}};
if(vErrors === null){
vErrors = [err91];
}
else {
vErrors.push(err91);
}
errors++;
}
if(typeof data35 === "string"){
if(!pattern8.test(data35)){
const err92 = {instancePath:instancePath+"/outcomes/vintage_sha256",schemaPath:"#/properties/outcomes/properties/vintage_sha256/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err92];
}
else {
vErrors.push(err92);
}
errors++;
}
}
}
}
else {
const err93 = {instancePath:instancePath+"/outcomes",schemaPath:"#/properties/outcomes/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err93];
}
else {
vErrors.push(err93);
}
errors++;
}
}
if(data.family_size !== undefined){
let data36 = data.family_size;
if(!(((typeof data36 == "number") && (!(data36 % 1) && !isNaN(data36))) && (isFinite(data36)))){
const err94 = {instancePath:instancePath+"/family_size",schemaPath:"#/properties/family_size/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err94];
}
else {
vErrors.push(err94);
}
errors++;
}
if((typeof data36 == "number") && (isFinite(data36))){
if(data36 < 1 || isNaN(data36)){
const err95 = {instancePath:instancePath+"/family_size",schemaPath:"#/properties/family_size/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err95];
}
else {
vErrors.push(err95);
}
errors++;
}
}
}
if(data.family_sha256 !== undefined){
let data37 = data.family_sha256;
if(typeof data37 === "string"){
if(!pattern8.test(data37)){
const err96 = {instancePath:instancePath+"/family_sha256",schemaPath:"#/properties/family_sha256/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err96];
}
else {
vErrors.push(err96);
}
errors++;
}
}
else {
const err97 = {instancePath:instancePath+"/family_sha256",schemaPath:"#/properties/family_sha256/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err97];
}
else {
vErrors.push(err97);
}
errors++;
}
}
if(data.family !== undefined){
let data38 = data.family;
if(Array.isArray(data38)){
if(data38.length < 1){
const err98 = {instancePath:instancePath+"/family",schemaPath:"#/properties/family/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err98];
}
else {
vErrors.push(err98);
}
errors++;
}
const len6 = data38.length;
for(let i9=0; i9<len6; i9++){
let data39 = data38[i9];
if(typeof data39 === "string"){
if(data39.length < 1){
const err99 = {instancePath:instancePath+"/family/" + i9,schemaPath:"#/properties/family/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err99];
}
else {
vErrors.push(err99);
}
errors++;
}
}
else {
const err100 = {instancePath:instancePath+"/family/" + i9,schemaPath:"#/properties/family/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err100];
}
else {
vErrors.push(err100);
}
errors++;
}
}
let i10 = data38.length;
let j3;
if(i10 > 1){
const indices3 = {};
for(;i10--;){
let item3 = data38[i10];
if(typeof item3 !== "string"){
continue;
}
if(typeof indices3[item3] == "number"){
j3 = indices3[item3];
const err101 = {instancePath:instancePath+"/family",schemaPath:"#/properties/family/uniqueItems",keyword:"uniqueItems",params:{i: i10, j: j3}};
if(vErrors === null){
vErrors = [err101];
}
else {
vErrors.push(err101);
}
errors++;
break;
}
indices3[item3] = i10;
}
}
}
else {
const err102 = {instancePath:instancePath+"/family",schemaPath:"#/properties/family/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err102];
}
else {
vErrors.push(err102);
}
errors++;
}
}
if(data.description !== undefined){
let data40 = data.description;
if(typeof data40 === "string"){
if(data40.length < 1){
const err103 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err103];
}
else {
vErrors.push(err103);
}
errors++;
}
}
else {
const err104 = {instancePath:instancePath+"/description",schemaPath:"#/properties/description/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err104];
}
else {
vErrors.push(err104);
}
errors++;
}
}
}
else {
const err105 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err105];
}
else {
vErrors.push(err105);
}
errors++;
}
validate65.errors = vErrors;
return errors === 0;
}
validate65.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};
