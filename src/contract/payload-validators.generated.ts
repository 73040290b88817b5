// Made from src/contract/schemas by .ci/generate.mjs: do not edit.
// @ts-nocheck
import { formats } from './formats.js'
export const validateFreshness = validate53;
const schema20 = {"title":"Freshness","description":"How old an observation was when the response was made.","type":"object","required":["observed_at","age_seconds","status"],"properties":{"observed_at":{"$ref":"#/$defs/Timestamp"},"age_seconds":{"type":"number","minimum":0},"status":{"enum":["fresh","stale","unknown"]}}};
const schema21 = {"title":"Timestamp","description":"An RFC 3339 timestamp with an offset from UTC, to the microsecond at most.","type":"string","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$"};
const formats0 = { validate: formats["date-time"] };
const pattern3 = new RegExp("^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$", "u");

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
if(!pattern3.test(data)){
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
if(data.observed_at === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "observed_at"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.age_seconds === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "age_seconds"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.status === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "status"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.observed_at !== undefined){
if(!(validate54(data.observed_at, {instancePath:instancePath+"/observed_at",parentData:data,parentDataProperty:"observed_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
if(data.age_seconds !== undefined){
let data1 = data.age_seconds;
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 0 || isNaN(data1)){
const err3 = {instancePath:instancePath+"/age_seconds",schemaPath:"#/properties/age_seconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/age_seconds",schemaPath:"#/properties/age_seconds/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.status !== undefined){
let data2 = data.status;
if(!(((data2 === "fresh") || (data2 === "stale")) || (data2 === "unknown"))){
const err5 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/enum",keyword:"enum",params:{allowedValues: schema20.properties.status.enum}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate53.errors = vErrors;
return errors === 0;
}
validate53.evaluated = {"props":{"observed_at":true,"age_seconds":true,"status":true},"dynamicProps":false,"dynamicItems":false};

export const validateForecastResource = validate56;
const schema22 = {"title":"ForecastResource","description":"One forecast: made at an origin, by a model, for a target some hours ahead.","type":"object","required":["forecast_id","origin_at","target_at","horizon_hours","model","estimate","interval","confidence","run","lineage","freshness"],"properties":{"forecast_id":{"description":"origin_at, model.name and horizon_hours, joined by colons.","type":"string"},"origin_at":{"description":"Close of the last candle the forecast could see.","$ref":"#/$defs/Timestamp"},"target_at":{"description":"The origin plus the horizon.","$ref":"#/$defs/Timestamp"},"horizon_hours":{"description":"Whole hours.","type":"integer","minimum":1},"model":{"type":"object","required":["name","configuration_id"],"properties":{"name":{"type":"string"},"configuration_id":{"description":"Fingerprint of the configuration in the manifest.","type":["string","null"]}}},"estimate":{"type":"object","required":["price_usd","change_pct"],"properties":{"price_usd":{"type":"number"},"change_pct":{"description":"Percent, relative to lineage.source.price_usd.","type":"number"}}},"interval":{"type":"object","required":["level","lower_usd","median_usd","upper_usd"],"properties":{"level":{"description":"Nominal coverage.","type":"number","exclusiveMinimum":0,"exclusiveMaximum":1},"lower_usd":{"description":"USD; null only where the run produced no calibrated quantiles.","type":["number","null"]},"median_usd":{"description":"USD; null only where the run produced no calibrated quantiles.","type":["number","null"]},"upper_usd":{"description":"USD; null only where the run produced no calibrated quantiles.","type":["number","null"]}}},"confidence":{"description":"How far the models agreed; no probability.","type":"object","required":["score","label","evidence"],"properties":{"score":{"type":"number","minimum":0,"maximum":1},"label":{"type":"string"},"evidence":{"description":"What the score was judged by.","type":"object","additionalProperties":true}}},"run":{"type":"object","required":["id","generated_at"],"properties":{"id":{"type":["string","null"]},"generated_at":{"anyOf":[{"$ref":"#/$defs/Timestamp"},{"type":"null"}]}}},"lineage":{"type":"object","required":["history_key","source","manifest"],"properties":{"history_key":{"type":"object","required":["origin_at","model_name","horizon_hours"],"properties":{"origin_at":{"$ref":"#/$defs/Timestamp"},"model_name":{"type":"string"},"horizon_hours":{"description":"Whole hours.","type":"integer","minimum":1}}},"source":{"type":"object","required":["name","pair","price_usd"],"properties":{"name":{"type":"string"},"pair":{"const":"BTC/USD"},"price_usd":{"type":"number"}}},"manifest":{"description":"The versioned manifest of the experiment; null with a reason beside it.","type":["object","null"],"additionalProperties":true},"manifest_reason":{"description":"Why there is no manifest.","type":"string"},"source_reason":{"description":"Why the source has no name.","type":"string"},"provenance":{"$ref":"#/$defs/Provenance"}}},"freshness":{"$ref":"#/$defs/Freshness"}}};
const schema23 = {"title":"Provenance","description":"When the inputs of a forecast were known, and on which vintage it was made.","type":"object","required":[],"properties":{"input_available_at":{"anyOf":[{"$ref":"#/$defs/Timestamp"},{"type":"null"}]},"selection_data_through":{"anyOf":[{"$ref":"#/$defs/Timestamp"},{"type":"null"}]},"vintage_id":{"type":["string","null"]},"vintage_sha256":{"type":["string","null"]}}};

function validate61(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate61.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.input_available_at !== undefined){
let data0 = data.input_available_at;
const _errs2 = errors;
let valid1 = false;
const _errs3 = errors;
if(!(validate54(data0, {instancePath:instancePath+"/input_available_at",parentData:data,parentDataProperty:"input_available_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
var _valid0 = _errs3 === errors;
valid1 = valid1 || _valid0;
const _errs4 = errors;
if(data0 !== null){
const err0 = {instancePath:instancePath+"/input_available_at",schemaPath:"#/properties/input_available_at/anyOf/1/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs4 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err1 = {instancePath:instancePath+"/input_available_at",schemaPath:"#/properties/input_available_at/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
else {
errors = _errs2;
if(vErrors !== null){
if(_errs2){
vErrors.length = _errs2;
}
else {
vErrors = null;
}
}
}
}
if(data.selection_data_through !== undefined){
let data1 = data.selection_data_through;
const _errs7 = errors;
let valid2 = false;
const _errs8 = errors;
if(!(validate54(data1, {instancePath:instancePath+"/selection_data_through",parentData:data,parentDataProperty:"selection_data_through",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
var _valid1 = _errs8 === errors;
valid2 = valid2 || _valid1;
const _errs9 = errors;
if(data1 !== null){
const err2 = {instancePath:instancePath+"/selection_data_through",schemaPath:"#/properties/selection_data_through/anyOf/1/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
var _valid1 = _errs9 === errors;
valid2 = valid2 || _valid1;
if(!valid2){
const err3 = {instancePath:instancePath+"/selection_data_through",schemaPath:"#/properties/selection_data_through/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
else {
errors = _errs7;
if(vErrors !== null){
if(_errs7){
vErrors.length = _errs7;
}
else {
vErrors = null;
}
}
}
}
if(data.vintage_id !== undefined){
let data2 = data.vintage_id;
if((typeof data2 !== "string") && (data2 !== null)){
const err4 = {instancePath:instancePath+"/vintage_id",schemaPath:"#/properties/vintage_id/type",keyword:"type",params:{type: schema23.properties.vintage_id.type}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.vintage_sha256 !== undefined){
let data3 = data.vintage_sha256;
if((typeof data3 !== "string") && (data3 !== null)){
const err5 = {instancePath:instancePath+"/vintage_sha256",schemaPath:"#/properties/vintage_sha256/type",keyword:"type",params:{type: schema23.properties.vintage_sha256.type}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate61.errors = vErrors;
return errors === 0;
}
validate61.evaluated = {"props":{"input_available_at":true,"selection_data_through":true,"vintage_id":true,"vintage_sha256":true},"dynamicProps":false,"dynamicItems":false};


function validate56(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate56.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.forecast_id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "forecast_id"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.origin_at === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "origin_at"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.target_at === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "target_at"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.horizon_hours === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "horizon_hours"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.model === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "model"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.estimate === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "estimate"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data.interval === undefined){
const err6 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "interval"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data.confidence === undefined){
const err7 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "confidence"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data.run === undefined){
const err8 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "run"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data.lineage === undefined){
const err9 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "lineage"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(data.freshness === undefined){
const err10 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "freshness"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(data.forecast_id !== undefined){
if(typeof data.forecast_id !== "string"){
const err11 = {instancePath:instancePath+"/forecast_id",schemaPath:"#/properties/forecast_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.origin_at !== undefined){
if(!(validate54(data.origin_at, {instancePath:instancePath+"/origin_at",parentData:data,parentDataProperty:"origin_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
if(data.target_at !== undefined){
if(!(validate54(data.target_at, {instancePath:instancePath+"/target_at",parentData:data,parentDataProperty:"target_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
if(data.horizon_hours !== undefined){
let data3 = data.horizon_hours;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err12 = {instancePath:instancePath+"/horizon_hours",schemaPath:"#/properties/horizon_hours/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 1 || isNaN(data3)){
const err13 = {instancePath:instancePath+"/horizon_hours",schemaPath:"#/properties/horizon_hours/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
if(data.model !== undefined){
let data4 = data.model;
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if(data4.name === undefined){
const err14 = {instancePath:instancePath+"/model",schemaPath:"#/properties/model/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(data4.configuration_id === undefined){
const err15 = {instancePath:instancePath+"/model",schemaPath:"#/properties/model/required",keyword:"required",params:{missingProperty: "configuration_id"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(data4.name !== undefined){
if(typeof data4.name !== "string"){
const err16 = {instancePath:instancePath+"/model/name",schemaPath:"#/properties/model/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data4.configuration_id !== undefined){
let data6 = data4.configuration_id;
if((typeof data6 !== "string") && (data6 !== null)){
const err17 = {instancePath:instancePath+"/model/configuration_id",schemaPath:"#/properties/model/properties/configuration_id/type",keyword:"type",params:{type: schema22.properties.model.properties.configuration_id.type}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
}
else {
const err18 = {instancePath:instancePath+"/model",schemaPath:"#/properties/model/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.estimate !== undefined){
let data7 = data.estimate;
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
if(data7.price_usd === undefined){
const err19 = {instancePath:instancePath+"/estimate",schemaPath:"#/properties/estimate/required",keyword:"required",params:{missingProperty: "price_usd"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(data7.change_pct === undefined){
const err20 = {instancePath:instancePath+"/estimate",schemaPath:"#/properties/estimate/required",keyword:"required",params:{missingProperty: "change_pct"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if(data7.price_usd !== undefined){
let data8 = data7.price_usd;
if(!((typeof data8 == "number") && (isFinite(data8)))){
const err21 = {instancePath:instancePath+"/estimate/price_usd",schemaPath:"#/properties/estimate/properties/price_usd/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data7.change_pct !== undefined){
let data9 = data7.change_pct;
if(!((typeof data9 == "number") && (isFinite(data9)))){
const err22 = {instancePath:instancePath+"/estimate/change_pct",schemaPath:"#/properties/estimate/properties/change_pct/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
}
else {
const err23 = {instancePath:instancePath+"/estimate",schemaPath:"#/properties/estimate/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data.interval !== undefined){
let data10 = data.interval;
if(data10 && typeof data10 == "object" && !Array.isArray(data10)){
if(data10.level === undefined){
const err24 = {instancePath:instancePath+"/interval",schemaPath:"#/properties/interval/required",keyword:"required",params:{missingProperty: "level"}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
if(data10.lower_usd === undefined){
const err25 = {instancePath:instancePath+"/interval",schemaPath:"#/properties/interval/required",keyword:"required",params:{missingProperty: "lower_usd"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
if(data10.median_usd === undefined){
const err26 = {instancePath:instancePath+"/interval",schemaPath:"#/properties/interval/required",keyword:"required",params:{missingProperty: "median_usd"}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
if(data10.upper_usd === undefined){
const err27 = {instancePath:instancePath+"/interval",schemaPath:"#/properties/interval/required",keyword:"required",params:{missingProperty: "upper_usd"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
if(data10.level !== undefined){
let data11 = data10.level;
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 >= 1 || isNaN(data11)){
const err28 = {instancePath:instancePath+"/interval/level",schemaPath:"#/properties/interval/properties/level/exclusiveMaximum",keyword:"exclusiveMaximum",params:{comparison: "<", limit: 1}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
if(data11 <= 0 || isNaN(data11)){
const err29 = {instancePath:instancePath+"/interval/level",schemaPath:"#/properties/interval/properties/level/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
else {
const err30 = {instancePath:instancePath+"/interval/level",schemaPath:"#/properties/interval/properties/level/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
if(data10.lower_usd !== undefined){
let data12 = data10.lower_usd;
if((!((typeof data12 == "number") && (isFinite(data12)))) && (data12 !== null)){
const err31 = {instancePath:instancePath+"/interval/lower_usd",schemaPath:"#/properties/interval/properties/lower_usd/type",keyword:"type",params:{type: schema22.properties.interval.properties.lower_usd.type}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data10.median_usd !== undefined){
let data13 = data10.median_usd;
if((!((typeof data13 == "number") && (isFinite(data13)))) && (data13 !== null)){
const err32 = {instancePath:instancePath+"/interval/median_usd",schemaPath:"#/properties/interval/properties/median_usd/type",keyword:"type",params:{type: schema22.properties.interval.properties.median_usd.type}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
if(data10.upper_usd !== undefined){
let data14 = data10.upper_usd;
if((!((typeof data14 == "number") && (isFinite(data14)))) && (data14 !== null)){
const err33 = {instancePath:instancePath+"/interval/upper_usd",schemaPath:"#/properties/interval/properties/upper_usd/type",keyword:"type",params:{type: schema22.properties.interval.properties.upper_usd.type}};
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
const err34 = {instancePath:instancePath+"/interval",schemaPath:"#/properties/interval/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
if(data.confidence !== undefined){
let data15 = data.confidence;
if(data15 && typeof data15 == "object" && !Array.isArray(data15)){
if(data15.score === undefined){
const err35 = {instancePath:instancePath+"/confidence",schemaPath:"#/properties/confidence/required",keyword:"required",params:{missingProperty: "score"}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
if(data15.label === undefined){
const err36 = {instancePath:instancePath+"/confidence",schemaPath:"#/properties/confidence/required",keyword:"required",params:{missingProperty: "label"}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
if(data15.evidence === undefined){
const err37 = {instancePath:instancePath+"/confidence",schemaPath:"#/properties/confidence/required",keyword:"required",params:{missingProperty: "evidence"}};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
if(data15.score !== undefined){
let data16 = data15.score;
if((typeof data16 == "number") && (isFinite(data16))){
if(data16 > 1 || isNaN(data16)){
const err38 = {instancePath:instancePath+"/confidence/score",schemaPath:"#/properties/confidence/properties/score/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1}};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
if(data16 < 0 || isNaN(data16)){
const err39 = {instancePath:instancePath+"/confidence/score",schemaPath:"#/properties/confidence/properties/score/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
else {
const err40 = {instancePath:instancePath+"/confidence/score",schemaPath:"#/properties/confidence/properties/score/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
if(data15.label !== undefined){
if(typeof data15.label !== "string"){
const err41 = {instancePath:instancePath+"/confidence/label",schemaPath:"#/properties/confidence/properties/label/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
if(data15.evidence !== undefined){
let data18 = data15.evidence;
if(data18 && typeof data18 == "object" && !Array.isArray(data18)){
}
else {
const err42 = {instancePath:instancePath+"/confidence/evidence",schemaPath:"#/properties/confidence/properties/evidence/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
}
else {
const err43 = {instancePath:instancePath+"/confidence",schemaPath:"#/properties/confidence/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
if(data.run !== undefined){
let data19 = data.run;
if(data19 && typeof data19 == "object" && !Array.isArray(data19)){
if(data19.id === undefined){
const err44 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "id"}};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
if(data19.generated_at === undefined){
const err45 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: "generated_at"}};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
if(data19.id !== undefined){
let data20 = data19.id;
if((typeof data20 !== "string") && (data20 !== null)){
const err46 = {instancePath:instancePath+"/run/id",schemaPath:"#/properties/run/properties/id/type",keyword:"type",params:{type: schema22.properties.run.properties.id.type}};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
if(data19.generated_at !== undefined){
let data21 = data19.generated_at;
const _errs43 = errors;
let valid6 = false;
const _errs44 = errors;
if(!(validate54(data21, {instancePath:instancePath+"/run/generated_at",parentData:data19,parentDataProperty:"generated_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
var _valid0 = _errs44 === errors;
valid6 = valid6 || _valid0;
const _errs45 = errors;
if(data21 !== null){
const err47 = {instancePath:instancePath+"/run/generated_at",schemaPath:"#/properties/run/properties/generated_at/anyOf/1/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
var _valid0 = _errs45 === errors;
valid6 = valid6 || _valid0;
if(!valid6){
const err48 = {instancePath:instancePath+"/run/generated_at",schemaPath:"#/properties/run/properties/generated_at/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
else {
errors = _errs43;
if(vErrors !== null){
if(_errs43){
vErrors.length = _errs43;
}
else {
vErrors = null;
}
}
}
}
}
else {
const err49 = {instancePath:instancePath+"/run",schemaPath:"#/properties/run/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
if(data.lineage !== undefined){
let data22 = data.lineage;
if(data22 && typeof data22 == "object" && !Array.isArray(data22)){
if(data22.history_key === undefined){
const err50 = {instancePath:instancePath+"/lineage",schemaPath:"#/properties/lineage/required",keyword:"required",params:{missingProperty: "history_key"}};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
if(data22.source === undefined){
const err51 = {instancePath:instancePath+"/lineage",schemaPath:"#/properties/lineage/required",keyword:"required",params:{missingProperty: "source"}};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
if(data22.manifest === undefined){
const err52 = {instancePath:instancePath+"/lineage",schemaPath:"#/properties/lineage/required",keyword:"required",params:{missingProperty: "manifest"}};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
if(data22.history_key !== undefined){
let data23 = data22.history_key;
if(data23 && typeof data23 == "object" && !Array.isArray(data23)){
if(data23.origin_at === undefined){
const err53 = {instancePath:instancePath+"/lineage/history_key",schemaPath:"#/properties/lineage/properties/history_key/required",keyword:"required",params:{missingProperty: "origin_at"}};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
if(data23.model_name === undefined){
const err54 = {instancePath:instancePath+"/lineage/history_key",schemaPath:"#/properties/lineage/properties/history_key/required",keyword:"required",params:{missingProperty: "model_name"}};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
if(data23.horizon_hours === undefined){
const err55 = {instancePath:instancePath+"/lineage/history_key",schemaPath:"#/properties/lineage/properties/history_key/required",keyword:"required",params:{missingProperty: "horizon_hours"}};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
if(data23.origin_at !== undefined){
if(!(validate54(data23.origin_at, {instancePath:instancePath+"/lineage/history_key/origin_at",parentData:data23,parentDataProperty:"origin_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
if(data23.model_name !== undefined){
if(typeof data23.model_name !== "string"){
const err56 = {instancePath:instancePath+"/lineage/history_key/model_name",schemaPath:"#/properties/lineage/properties/history_key/properties/model_name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
}
if(data23.horizon_hours !== undefined){
let data26 = data23.horizon_hours;
if(!(((typeof data26 == "number") && (!(data26 % 1) && !isNaN(data26))) && (isFinite(data26)))){
const err57 = {instancePath:instancePath+"/lineage/history_key/horizon_hours",schemaPath:"#/properties/lineage/properties/history_key/properties/horizon_hours/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
if((typeof data26 == "number") && (isFinite(data26))){
if(data26 < 1 || isNaN(data26)){
const err58 = {instancePath:instancePath+"/lineage/history_key/horizon_hours",schemaPath:"#/properties/lineage/properties/history_key/properties/horizon_hours/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
}
}
}
else {
const err59 = {instancePath:instancePath+"/lineage/history_key",schemaPath:"#/properties/lineage/properties/history_key/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
}
if(data22.source !== undefined){
let data27 = data22.source;
if(data27 && typeof data27 == "object" && !Array.isArray(data27)){
if(data27.name === undefined){
const err60 = {instancePath:instancePath+"/lineage/source",schemaPath:"#/properties/lineage/properties/source/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
if(data27.pair === undefined){
const err61 = {instancePath:instancePath+"/lineage/source",schemaPath:"#/properties/lineage/properties/source/required",keyword:"required",params:{missingProperty: "pair"}};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
if(data27.price_usd === undefined){
const err62 = {instancePath:instancePath+"/lineage/source",schemaPath:"#/properties/lineage/properties/source/required",keyword:"required",params:{missingProperty: "price_usd"}};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
if(data27.name !== undefined){
if(typeof data27.name !== "string"){
const err63 = {instancePath:instancePath+"/lineage/source/name",schemaPath:"#/properties/lineage/properties/source/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
}
if(data27.pair !== undefined){
if("BTC/USD" !== data27.pair){
const err64 = {instancePath:instancePath+"/lineage/source/pair",schemaPath:"#/properties/lineage/properties/source/properties/pair/const",keyword:"const",params:{allowedValue: "BTC/USD"}};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
}
if(data27.price_usd !== undefined){
let data30 = data27.price_usd;
if(!((typeof data30 == "number") && (isFinite(data30)))){
const err65 = {instancePath:instancePath+"/lineage/source/price_usd",schemaPath:"#/properties/lineage/properties/source/properties/price_usd/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
}
}
else {
const err66 = {instancePath:instancePath+"/lineage/source",schemaPath:"#/properties/lineage/properties/source/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
}
if(data22.manifest !== undefined){
let data31 = data22.manifest;
if((!(data31 && typeof data31 == "object" && !Array.isArray(data31))) && (data31 !== null)){
const err67 = {instancePath:instancePath+"/lineage/manifest",schemaPath:"#/properties/lineage/properties/manifest/type",keyword:"type",params:{type: schema22.properties.lineage.properties.manifest.type}};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
}
if(data22.manifest_reason !== undefined){
if(typeof data22.manifest_reason !== "string"){
const err68 = {instancePath:instancePath+"/lineage/manifest_reason",schemaPath:"#/properties/lineage/properties/manifest_reason/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
}
if(data22.source_reason !== undefined){
if(typeof data22.source_reason !== "string"){
const err69 = {instancePath:instancePath+"/lineage/source_reason",schemaPath:"#/properties/lineage/properties/source_reason/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
}
if(data22.provenance !== undefined){
if(!(validate61(data22.provenance, {instancePath:instancePath+"/lineage/provenance",parentData:data22,parentDataProperty:"provenance",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate61.errors : vErrors.concat(validate61.errors);
errors = vErrors.length;
}
}
}
else {
const err70 = {instancePath:instancePath+"/lineage",schemaPath:"#/properties/lineage/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
}
if(data.freshness !== undefined){
if(!(validate53(data.freshness, {instancePath:instancePath+"/freshness",parentData:data,parentDataProperty:"freshness",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
}
}
else {
const err71 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
validate56.errors = vErrors;
return errors === 0;
}
validate56.evaluated = {"props":{"forecast_id":true,"origin_at":true,"target_at":true,"horizon_hours":true,"model":true,"estimate":true,"interval":true,"confidence":true,"run":true,"lineage":true,"freshness":true},"dynamicProps":false,"dynamicItems":false};

export const validateLatestBody = validate66;
const schema24 = {"title":"LatestBody","description":"Answer of the latest route.","type":"object","required":["api_version","data","freshness"],"properties":{"api_version":{"const":"v1"},"data":{"$ref":"#/$defs/ForecastResource"},"freshness":{"$ref":"#/$defs/Freshness"}}};

function validate66(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate66.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.api_version === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "api_version"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.data === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "data"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.freshness === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "freshness"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.api_version !== undefined){
if("v1" !== data.api_version){
const err3 = {instancePath:instancePath+"/api_version",schemaPath:"#/properties/api_version/const",keyword:"const",params:{allowedValue: "v1"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.data !== undefined){
if(!(validate56(data.data, {instancePath:instancePath+"/data",parentData:data,parentDataProperty:"data",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors);
errors = vErrors.length;
}
}
if(data.freshness !== undefined){
if(!(validate53(data.freshness, {instancePath:instancePath+"/freshness",parentData:data,parentDataProperty:"freshness",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate66.errors = vErrors;
return errors === 0;
}
validate66.evaluated = {"props":{"api_version":true,"data":true,"freshness":true},"dynamicProps":false,"dynamicItems":false};

export const validateHistoryBody = validate69;
const schema25 = {"title":"HistoryBody","description":"One page of the forecast history, newest origin first.","type":"object","required":["api_version","data","pagination","freshness"],"properties":{"api_version":{"const":"v1"},"data":{"type":"array","items":{"$ref":"#/$defs/ForecastResource"},"maxItems":100},"pagination":{"type":"object","required":["limit","next_cursor"],"properties":{"limit":{"type":"integer","minimum":1,"maximum":100},"next_cursor":{"description":"Opaque; null on the last page.","type":["string","null"]}}},"freshness":{"$ref":"#/$defs/Freshness"}}};

function validate69(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate69.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.api_version === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "api_version"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.data === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "data"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.pagination === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "pagination"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.freshness === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "freshness"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.api_version !== undefined){
if("v1" !== data.api_version){
const err4 = {instancePath:instancePath+"/api_version",schemaPath:"#/properties/api_version/const",keyword:"const",params:{allowedValue: "v1"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.data !== undefined){
let data1 = data.data;
if(Array.isArray(data1)){
if(data1.length > 100){
const err5 = {instancePath:instancePath+"/data",schemaPath:"#/properties/data/maxItems",keyword:"maxItems",params:{limit: 100}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
if(!(validate56(data1[i0], {instancePath:instancePath+"/data/" + i0,parentData:data1,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors);
errors = vErrors.length;
}
}
}
else {
const err6 = {instancePath:instancePath+"/data",schemaPath:"#/properties/data/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.pagination !== undefined){
let data3 = data.pagination;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
if(data3.limit === undefined){
const err7 = {instancePath:instancePath+"/pagination",schemaPath:"#/properties/pagination/required",keyword:"required",params:{missingProperty: "limit"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data3.next_cursor === undefined){
const err8 = {instancePath:instancePath+"/pagination",schemaPath:"#/properties/pagination/required",keyword:"required",params:{missingProperty: "next_cursor"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data3.limit !== undefined){
let data4 = data3.limit;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
const err9 = {instancePath:instancePath+"/pagination/limit",schemaPath:"#/properties/pagination/properties/limit/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 100 || isNaN(data4)){
const err10 = {instancePath:instancePath+"/pagination/limit",schemaPath:"#/properties/pagination/properties/limit/maximum",keyword:"maximum",params:{comparison: "<=", limit: 100}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(data4 < 1 || isNaN(data4)){
const err11 = {instancePath:instancePath+"/pagination/limit",schemaPath:"#/properties/pagination/properties/limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
if(data3.next_cursor !== undefined){
let data5 = data3.next_cursor;
if((typeof data5 !== "string") && (data5 !== null)){
const err12 = {instancePath:instancePath+"/pagination/next_cursor",schemaPath:"#/properties/pagination/properties/next_cursor/type",keyword:"type",params:{type: schema25.properties.pagination.properties.next_cursor.type}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath:instancePath+"/pagination",schemaPath:"#/properties/pagination/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.freshness !== undefined){
if(!(validate53(data.freshness, {instancePath:instancePath+"/freshness",parentData:data,parentDataProperty:"freshness",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
}
}
else {
const err14 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
validate69.errors = vErrors;
return errors === 0;
}
validate69.evaluated = {"props":{"api_version":true,"data":true,"pagination":true,"freshness":true},"dynamicProps":false,"dynamicItems":false};

export const validateHealthBody = validate72;
const schema26 = {"title":"HealthBody","description":"Answer of the health route.","type":"object","required":["api_version","data"],"properties":{"api_version":{"const":"v1"},"data":{"$ref":"#/$defs/HealthData"}}};
const schema27 = {"title":"HealthData","description":"State of the pipeline that makes the forecasts.","type":"object","required":["checked_at","status","freshness","stages"],"properties":{"checked_at":{"$ref":"#/$defs/Timestamp"},"status":{"enum":["healthy","degraded","unavailable"]},"freshness":{"$ref":"#/$defs/Freshness"},"stages":{"type":"object","additionalProperties":{"type":"object","required":["health","circuit_state"],"properties":{"health":{"enum":["healthy","degraded","unavailable"]},"circuit_state":{"description":"closed, half_open or open.","type":"string","minLength":1}}}}}};

function validate73(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate73.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.checked_at === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "checked_at"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.status === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "status"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.freshness === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "freshness"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.stages === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "stages"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.checked_at !== undefined){
if(!(validate54(data.checked_at, {instancePath:instancePath+"/checked_at",parentData:data,parentDataProperty:"checked_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
if(data.status !== undefined){
let data1 = data.status;
if(!(((data1 === "healthy") || (data1 === "degraded")) || (data1 === "unavailable"))){
const err4 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/enum",keyword:"enum",params:{allowedValues: schema27.properties.status.enum}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.freshness !== undefined){
if(!(validate53(data.freshness, {instancePath:instancePath+"/freshness",parentData:data,parentDataProperty:"freshness",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
}
if(data.stages !== undefined){
let data3 = data.stages;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
for(const key0 in data3){
let data4 = data3[key0];
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if(data4.health === undefined){
const err5 = {instancePath:instancePath+"/stages/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/stages/additionalProperties/required",keyword:"required",params:{missingProperty: "health"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data4.circuit_state === undefined){
const err6 = {instancePath:instancePath+"/stages/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/stages/additionalProperties/required",keyword:"required",params:{missingProperty: "circuit_state"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data4.health !== undefined){
let data5 = data4.health;
if(!(((data5 === "healthy") || (data5 === "degraded")) || (data5 === "unavailable"))){
const err7 = {instancePath:instancePath+"/stages/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/health",schemaPath:"#/properties/stages/additionalProperties/properties/health/enum",keyword:"enum",params:{allowedValues: schema27.properties.stages.additionalProperties.properties.health.enum}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data4.circuit_state !== undefined){
let data6 = data4.circuit_state;
if(typeof data6 === "string"){
if(data6.length < 1){
const err8 = {instancePath:instancePath+"/stages/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/circuit_state",schemaPath:"#/properties/stages/additionalProperties/properties/circuit_state/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/stages/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/circuit_state",schemaPath:"#/properties/stages/additionalProperties/properties/circuit_state/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath:instancePath+"/stages/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/stages/additionalProperties/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
else {
const err11 = {instancePath:instancePath+"/stages",schemaPath:"#/properties/stages/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
else {
const err12 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
validate73.errors = vErrors;
return errors === 0;
}
validate73.evaluated = {"props":{"checked_at":true,"status":true,"freshness":true,"stages":true},"dynamicProps":false,"dynamicItems":false};


function validate72(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate72.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.api_version === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "api_version"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.data === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "data"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.api_version !== undefined){
if("v1" !== data.api_version){
const err2 = {instancePath:instancePath+"/api_version",schemaPath:"#/properties/api_version/const",keyword:"const",params:{allowedValue: "v1"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.data !== undefined){
if(!(validate73(data.data, {instancePath:instancePath+"/data",parentData:data,parentDataProperty:"data",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate73.errors : vErrors.concat(validate73.errors);
errors = vErrors.length;
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate72.errors = vErrors;
return errors === 0;
}
validate72.evaluated = {"props":{"api_version":true,"data":true},"dynamicProps":false,"dynamicItems":false};

export const validateErrorBody = validate77;
const schema28 = {"title":"ErrorBody","description":"Every answer that is no success.","type":"object","required":["api_version","error"],"properties":{"api_version":{"const":"v1"},"error":{"type":"object","required":["code","message"],"properties":{"code":{"enum":["invalid_request","forecast_not_found","not_acceptable","rate_limited","history_unavailable","internal_error"]},"message":{"description":"For people; may change at any time.","type":"string"}}}}};

function validate77(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate77.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.api_version === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "api_version"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.error === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "error"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.api_version !== undefined){
if("v1" !== data.api_version){
const err2 = {instancePath:instancePath+"/api_version",schemaPath:"#/properties/api_version/const",keyword:"const",params:{allowedValue: "v1"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.error !== undefined){
let data1 = data.error;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.code === undefined){
const err3 = {instancePath:instancePath+"/error",schemaPath:"#/properties/error/required",keyword:"required",params:{missingProperty: "code"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data1.message === undefined){
const err4 = {instancePath:instancePath+"/error",schemaPath:"#/properties/error/required",keyword:"required",params:{missingProperty: "message"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data1.code !== undefined){
let data2 = data1.code;
if(!((((((data2 === "invalid_request") || (data2 === "forecast_not_found")) || (data2 === "not_acceptable")) || (data2 === "rate_limited")) || (data2 === "history_unavailable")) || (data2 === "internal_error"))){
const err5 = {instancePath:instancePath+"/error/code",schemaPath:"#/properties/error/properties/code/enum",keyword:"enum",params:{allowedValues: schema28.properties.error.properties.code.enum}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data1.message !== undefined){
if(typeof data1.message !== "string"){
const err6 = {instancePath:instancePath+"/error/message",schemaPath:"#/properties/error/properties/message/type",keyword:"type",params:{type: "string"}};
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
const err7 = {instancePath:instancePath+"/error",schemaPath:"#/properties/error/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
else {
const err8 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
validate77.errors = vErrors;
return errors === 0;
}
validate77.evaluated = {"props":{"api_version":true,"error":true},"dynamicProps":false,"dynamicItems":false};

export const validateStaticLatestBody = validate78;
const schema29 = {"title":"StaticLatestBody","description":"latest.json of the static site; data is null while the history is empty.","type":"object","required":["api_version","snapshot_at","data","freshness"],"properties":{"api_version":{"const":"v1"},"snapshot_at":{"$ref":"#/$defs/Timestamp"},"data":{"anyOf":[{"$ref":"#/$defs/ForecastResource"},{"type":"null"}]},"freshness":{"$ref":"#/$defs/Freshness"}}};

function validate78(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate78.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.api_version === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "api_version"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.snapshot_at === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "snapshot_at"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.data === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "data"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.freshness === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "freshness"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.api_version !== undefined){
if("v1" !== data.api_version){
const err4 = {instancePath:instancePath+"/api_version",schemaPath:"#/properties/api_version/const",keyword:"const",params:{allowedValue: "v1"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.snapshot_at !== undefined){
if(!(validate54(data.snapshot_at, {instancePath:instancePath+"/snapshot_at",parentData:data,parentDataProperty:"snapshot_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
if(data.data !== undefined){
let data2 = data.data;
const _errs4 = errors;
let valid1 = false;
const _errs5 = errors;
if(!(validate56(data2, {instancePath:instancePath+"/data",parentData:data,parentDataProperty:"data",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors);
errors = vErrors.length;
}
var _valid0 = _errs5 === errors;
valid1 = valid1 || _valid0;
if(_valid0){
var props0 = {};
props0.forecast_id = true;
props0.origin_at = true;
props0.target_at = true;
props0.horizon_hours = true;
props0.model = true;
props0.estimate = true;
props0.interval = true;
props0.confidence = true;
props0.run = true;
props0.lineage = true;
props0.freshness = true;
}
const _errs6 = errors;
if(data2 !== null){
const err5 = {instancePath:instancePath+"/data",schemaPath:"#/properties/data/anyOf/1/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
var _valid0 = _errs6 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err6 = {instancePath:instancePath+"/data",schemaPath:"#/properties/data/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
else {
errors = _errs4;
if(vErrors !== null){
if(_errs4){
vErrors.length = _errs4;
}
else {
vErrors = null;
}
}
}
}
if(data.freshness !== undefined){
if(!(validate53(data.freshness, {instancePath:instancePath+"/freshness",parentData:data,parentDataProperty:"freshness",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
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
validate78.errors = vErrors;
return errors === 0;
}
validate78.evaluated = {"props":{"api_version":true,"snapshot_at":true,"data":true,"freshness":true},"dynamicProps":false,"dynamicItems":false};

export const validateStaticPageBody = validate82;
const schema30 = {"title":"StaticPageBody","description":"forecasts.json and the pages that follow it.","type":"object","required":["api_version","snapshot_at","data","freshness","pagination"],"properties":{"api_version":{"const":"v1"},"snapshot_at":{"$ref":"#/$defs/Timestamp"},"data":{"type":"array","items":{"$ref":"#/$defs/ForecastResource"}},"freshness":{"$ref":"#/$defs/Freshness"},"pagination":{"type":"object","required":["page_size","next_url"],"properties":{"page_size":{"type":"integer","minimum":1},"next_url":{"description":"Null on the last page.","type":["string","null"]}}}}};

function validate82(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate82.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.api_version === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "api_version"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.snapshot_at === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "snapshot_at"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.data === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "data"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.freshness === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "freshness"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.pagination === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "pagination"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.api_version !== undefined){
if("v1" !== data.api_version){
const err5 = {instancePath:instancePath+"/api_version",schemaPath:"#/properties/api_version/const",keyword:"const",params:{allowedValue: "v1"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.snapshot_at !== undefined){
if(!(validate54(data.snapshot_at, {instancePath:instancePath+"/snapshot_at",parentData:data,parentDataProperty:"snapshot_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
if(data.data !== undefined){
let data2 = data.data;
if(Array.isArray(data2)){
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
if(!(validate56(data2[i0], {instancePath:instancePath+"/data/" + i0,parentData:data2,parentDataProperty:i0,rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate56.errors : vErrors.concat(validate56.errors);
errors = vErrors.length;
}
}
}
else {
const err6 = {instancePath:instancePath+"/data",schemaPath:"#/properties/data/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.freshness !== undefined){
if(!(validate53(data.freshness, {instancePath:instancePath+"/freshness",parentData:data,parentDataProperty:"freshness",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
errors = vErrors.length;
}
}
if(data.pagination !== undefined){
let data5 = data.pagination;
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
if(data5.page_size === undefined){
const err7 = {instancePath:instancePath+"/pagination",schemaPath:"#/properties/pagination/required",keyword:"required",params:{missingProperty: "page_size"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data5.next_url === undefined){
const err8 = {instancePath:instancePath+"/pagination",schemaPath:"#/properties/pagination/required",keyword:"required",params:{missingProperty: "next_url"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data5.page_size !== undefined){
let data6 = data5.page_size;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
const err9 = {instancePath:instancePath+"/pagination/page_size",schemaPath:"#/properties/pagination/properties/page_size/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 < 1 || isNaN(data6)){
const err10 = {instancePath:instancePath+"/pagination/page_size",schemaPath:"#/properties/pagination/properties/page_size/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
}
if(data5.next_url !== undefined){
let data7 = data5.next_url;
if((typeof data7 !== "string") && (data7 !== null)){
const err11 = {instancePath:instancePath+"/pagination/next_url",schemaPath:"#/properties/pagination/properties/next_url/type",keyword:"type",params:{type: schema30.properties.pagination.properties.next_url.type}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
}
else {
const err12 = {instancePath:instancePath+"/pagination",schemaPath:"#/properties/pagination/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
validate82.errors = vErrors;
return errors === 0;
}
validate82.evaluated = {"props":{"api_version":true,"snapshot_at":true,"data":true,"freshness":true,"pagination":true},"dynamicProps":false,"dynamicItems":false};

export const validateAuditEvent = validate86;
const schema31 = {"title":"AuditEvent","description":"One request to the dynamic service, as its read-audit log records it.","type":"object","required":["timestamp","method","path","remote_address","status","latency_seconds","forecast_ids"],"properties":{"timestamp":{"$ref":"#/$defs/Timestamp"},"method":{"type":"string"},"path":{"type":"string"},"remote_address":{"type":["string","null"]},"status":{"type":"integer","minimum":100,"maximum":599},"latency_seconds":{"type":"number","minimum":0},"forecast_ids":{"type":"array","items":{"type":"string"}},"key_fingerprint":{"description":"Keyed digest of the API key that was sent, accepted or not; null where none was.","type":["string","null"]},"request_id":{"type":"string"}}};

function validate86(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate86.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.timestamp === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "timestamp"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.method === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "method"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.path === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "path"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.remote_address === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "remote_address"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.status === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "status"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.latency_seconds === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "latency_seconds"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data.forecast_ids === undefined){
const err6 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "forecast_ids"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data.timestamp !== undefined){
if(!(validate54(data.timestamp, {instancePath:instancePath+"/timestamp",parentData:data,parentDataProperty:"timestamp",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
if(data.method !== undefined){
if(typeof data.method !== "string"){
const err7 = {instancePath:instancePath+"/method",schemaPath:"#/properties/method/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.path !== undefined){
if(typeof data.path !== "string"){
const err8 = {instancePath:instancePath+"/path",schemaPath:"#/properties/path/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.remote_address !== undefined){
let data3 = data.remote_address;
if((typeof data3 !== "string") && (data3 !== null)){
const err9 = {instancePath:instancePath+"/remote_address",schemaPath:"#/properties/remote_address/type",keyword:"type",params:{type: schema31.properties.remote_address.type}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.status !== undefined){
let data4 = data.status;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
const err10 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 599 || isNaN(data4)){
const err11 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/maximum",keyword:"maximum",params:{comparison: "<=", limit: 599}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(data4 < 100 || isNaN(data4)){
const err12 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/minimum",keyword:"minimum",params:{comparison: ">=", limit: 100}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
if(data.latency_seconds !== undefined){
let data5 = data.latency_seconds;
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 < 0 || isNaN(data5)){
const err13 = {instancePath:instancePath+"/latency_seconds",schemaPath:"#/properties/latency_seconds/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/latency_seconds",schemaPath:"#/properties/latency_seconds/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.forecast_ids !== undefined){
let data6 = data.forecast_ids;
if(Array.isArray(data6)){
const len0 = data6.length;
for(let i0=0; i0<len0; i0++){
if(typeof data6[i0] !== "string"){
const err15 = {instancePath:instancePath+"/forecast_ids/" + i0,schemaPath:"#/properties/forecast_ids/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
}
else {
const err16 = {instancePath:instancePath+"/forecast_ids",schemaPath:"#/properties/forecast_ids/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.key_fingerprint !== undefined){
let data8 = data.key_fingerprint;
if((typeof data8 !== "string") && (data8 !== null)){
const err17 = {instancePath:instancePath+"/key_fingerprint",schemaPath:"#/properties/key_fingerprint/type",keyword:"type",params:{type: schema31.properties.key_fingerprint.type}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data.request_id !== undefined){
if(typeof data.request_id !== "string"){
const err18 = {instancePath:instancePath+"/request_id",schemaPath:"#/properties/request_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
}
else {
const err19 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
validate86.errors = vErrors;
return errors === 0;
}
validate86.evaluated = {"props":{"timestamp":true,"method":true,"path":true,"remote_address":true,"status":true,"latency_seconds":true,"forecast_ids":true,"key_fingerprint":true,"request_id":true},"dynamicProps":false,"dynamicItems":false};

export const validateAttempt = validate88;
const schema32 = {"title":"Attempt","description":"An attempt at a forecast that failed or was withheld, with the reason recorded.","type":"object","required":["origin_at","model_name","horizon_hours","status","reason"],"properties":{"origin_at":{"$ref":"#/$defs/Timestamp"},"model_name":{"type":"string"},"horizon_hours":{"description":"Whole hours.","type":"integer","minimum":1},"status":{"enum":["failed","abstained"]},"reason":{"type":"string","minLength":1},"recorded_at":{"anyOf":[{"$ref":"#/$defs/Timestamp"},{"type":"null"}]},"provenance":{"$ref":"#/$defs/Provenance"}}};

function validate88(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
let vErrors = null;
let errors = 0;
const evaluated0 = validate88.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.origin_at === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "origin_at"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.model_name === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "model_name"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.horizon_hours === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "horizon_hours"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.status === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "status"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.reason === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "reason"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.origin_at !== undefined){
if(!(validate54(data.origin_at, {instancePath:instancePath+"/origin_at",parentData:data,parentDataProperty:"origin_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
if(data.model_name !== undefined){
if(typeof data.model_name !== "string"){
const err5 = {instancePath:instancePath+"/model_name",schemaPath:"#/properties/model_name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.horizon_hours !== undefined){
let data2 = data.horizon_hours;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
const err6 = {instancePath:instancePath+"/horizon_hours",schemaPath:"#/properties/horizon_hours/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 1 || isNaN(data2)){
const err7 = {instancePath:instancePath+"/horizon_hours",schemaPath:"#/properties/horizon_hours/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
if(data.status !== undefined){
let data3 = data.status;
if(!((data3 === "failed") || (data3 === "abstained"))){
const err8 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/enum",keyword:"enum",params:{allowedValues: schema32.properties.status.enum}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.reason !== undefined){
let data4 = data.reason;
if(typeof data4 === "string"){
if(data4.length < 1){
const err9 = {instancePath:instancePath+"/reason",schemaPath:"#/properties/reason/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/reason",schemaPath:"#/properties/reason/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.recorded_at !== undefined){
let data5 = data.recorded_at;
const _errs10 = errors;
let valid1 = false;
const _errs11 = errors;
if(!(validate54(data5, {instancePath:instancePath+"/recorded_at",parentData:data,parentDataProperty:"recorded_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
var _valid0 = _errs11 === errors;
valid1 = valid1 || _valid0;
const _errs12 = errors;
if(data5 !== null){
const err11 = {instancePath:instancePath+"/recorded_at",schemaPath:"#/properties/recorded_at/anyOf/1/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
var _valid0 = _errs12 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err12 = {instancePath:instancePath+"/recorded_at",schemaPath:"#/properties/recorded_at/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
else {
errors = _errs10;
if(vErrors !== null){
if(_errs10){
vErrors.length = _errs10;
}
else {
vErrors = null;
}
}
}
}
if(data.provenance !== undefined){
if(!(validate61(data.provenance, {instancePath:instancePath+"/provenance",parentData:data,parentDataProperty:"provenance",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate61.errors : vErrors.concat(validate61.errors);
errors = vErrors.length;
}
}
}
else {
const err13 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
validate88.errors = vErrors;
return errors === 0;
}
validate88.evaluated = {"props":{"origin_at":true,"model_name":true,"horizon_hours":true,"status":true,"reason":true,"recorded_at":true,"provenance":true},"dynamicProps":false,"dynamicItems":false};
