// Made from src/contract/schemas by .ci/generate.mjs: do not edit.
// @ts-nocheck
import { equal } from './equal.js'
export const validateProtocol = validate53;
const schema20 = {"title":"Protocol","description":"How forecasts will be scored against later outcomes, fixed before these are known.","type":"object","required":["schema_version","protocol_sha256","protocol_version","issue","status","purpose","market","pairing","horizons_hours","estimands","sampling","design","uncertainty","immutability"],"properties":{"schema_version":{"const":1},"protocol_sha256":{"type":"string","pattern":"^[0-9a-f]{64}$"},"protocol_version":{"type":"string","minLength":1},"issue":{"const":410},"status":{"const":"frozen_before_evaluation"},"purpose":{"type":"string","minLength":1},"market":{"type":"object","required":["instrument","bar_interval_hours","outcome","vintage_identity"],"properties":{"instrument":{"const":"BTC/USD"},"bar_interval_hours":{"const":1},"outcome":{"type":"string","minLength":1},"vintage_identity":{"type":"string","minLength":1}},"additionalProperties":false},"pairing":{"type":"object","required":["key","timestamps","target_rule","same_vintage_and_outcome_required","forecast_information_cutoff","statuses","failure_denominator"],"properties":{"key":{"const":["origin_at","target_at","horizon_hours"]},"timestamps":{"type":"string","minLength":1},"target_rule":{"type":"string","minLength":1},"same_vintage_and_outcome_required":{"const":true},"forecast_information_cutoff":{"type":"string","minLength":1},"statuses":{"const":["scored","failed","abstained","missing","ineligible"]},"failure_denominator":{"type":"string","minLength":1}},"additionalProperties":false},"horizons_hours":{"const":[2,4,8,16]},"estimands":{"type":"object","required":["point","interval","comparisons"],"properties":{"point":{"type":"object","required":["primary","formula","rationale","secondary","invalid_prices"],"properties":{"primary":{"const":"mean_absolute_log_return_error"},"formula":{"type":"string","minLength":1},"rationale":{"type":"string","minLength":1},"secondary":{"type":"object","required":["price_absolute_percent_error","signed_log_return_bias","signed_price_percent_bias","direction"],"properties":{"price_absolute_percent_error":{"type":"string","minLength":1},"signed_log_return_bias":{"type":"string","minLength":1},"signed_price_percent_bias":{"type":"string","minLength":1},"direction":{"type":"string","minLength":1}},"additionalProperties":false},"invalid_prices":{"type":"string","minLength":1}},"additionalProperties":false},"interval":{"type":"object","required":["separate_from_point_estimand","outcome","units","bounds","quantiles","pinball","primary_interval_score","coverage","width","bootstrap","interpretation"],"properties":{"separate_from_point_estimand":{"const":true},"outcome":{"type":"string","minLength":1},"units":{"type":"string","minLength":1},"bounds":{"type":"string","minLength":1},"quantiles":{"const":[0.1,0.5,0.9]},"pinball":{"type":"string","minLength":1},"primary_interval_score":{"type":"string","minLength":1},"coverage":{"type":"string","minLength":1},"width":{"type":"string","minLength":1},"bootstrap":{"type":"string","minLength":1},"interpretation":{"type":"string","minLength":1}},"additionalProperties":false},"comparisons":{"type":"object","required":["required","simple_baseline_pool","selection"],"properties":{"required":{"type":"array","items":{"type":"string","minLength":1},"uniqueItems":true,"minItems":4},"simple_baseline_pool":{"type":"array","items":{"type":"string","minLength":1},"uniqueItems":true,"minItems":1},"selection":{"type":"string","minLength":1}},"additionalProperties":false}},"additionalProperties":false},"sampling":{"type":"object","required":["strata","minimum_effective_sample","effective_sample"],"properties":{"strata":{"type":"array","items":{"type":"string","minLength":1},"uniqueItems":true,"minItems":1},"minimum_effective_sample":{"type":"object","required":["paired_origins_per_horizon","effective_independent_blocks_per_comparison","rule"],"properties":{"paired_origins_per_horizon":{"type":"integer","minimum":1},"effective_independent_blocks_per_comparison":{"type":"integer","minimum":1},"rule":{"type":"string","minLength":1}},"additionalProperties":false},"effective_sample":{"type":"string","minLength":1}},"additionalProperties":false},"design":{"type":"object","required":["selection","holdout","d3","cutoff","stopping","practical_effect_floor","practical_effect_definition","limits","disposition","promotion"],"properties":{"selection":{"type":"string","minLength":1},"holdout":{"type":"string","minLength":1},"d3":{"type":"string","minLength":1},"cutoff":{"type":"string","minLength":1},"stopping":{"type":"string","minLength":1},"practical_effect_floor":{"type":"number","minimum":0},"practical_effect_definition":{"type":"string","minLength":1},"limits":{"type":"object","required":["per_horizon_regression","directional_loss"],"properties":{"per_horizon_regression":{"type":"string","minLength":1},"directional_loss":{"type":"string","minLength":1}},"additionalProperties":false},"disposition":{"type":"array","items":{"type":"string","minLength":1},"uniqueItems":true,"minItems":4},"promotion":{"type":"string","minLength":1}},"additionalProperties":false},"uncertainty":{"type":"object","required":["paired","method","block_length_origins","overlap_rule","replicates","interval","strata_handling","multiplicity","seed"],"properties":{"paired":{"const":true},"method":{"type":"string","minLength":1},"block_length_origins":{"type":"integer","minimum":1},"overlap_rule":{"type":"string","minLength":1},"replicates":{"type":"integer","minimum":1},"interval":{"type":"string","minLength":1},"strata_handling":{"type":"string","minLength":1},"multiplicity":{"type":"object","required":["method","alpha","registered_test_family","failure_handling"],"properties":{"method":{"const":"Holm step-down"},"alpha":{"type":"number","exclusiveMinimum":0,"maximum":0.05},"registered_test_family":{"type":"string","minLength":1},"failure_handling":{"type":"string","minLength":1}},"additionalProperties":false},"seed":{"type":"integer"}},"additionalProperties":false},"immutability":{"type":"object","required":["no_peeking","changes","post_hoc_changes","score_inspection_during_protocol_design"],"properties":{"no_peeking":{"type":"string","minLength":1},"changes":{"type":"string","minLength":1},"post_hoc_changes":{"const":false},"score_inspection_during_protocol_design":{"const":false}},"additionalProperties":false}},"additionalProperties":false};
const func1 = Object.prototype.hasOwnProperty;
const func0 = equal;
const pattern3 = new RegExp("^[0-9a-f]{64}$", "u");

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
if(data.schema_version === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "schema_version"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.protocol_sha256 === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "protocol_sha256"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.protocol_version === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "protocol_version"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.issue === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "issue"}};
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
if(data.purpose === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "purpose"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data.market === undefined){
const err6 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "market"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data.pairing === undefined){
const err7 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "pairing"}};
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
if(data.estimands === undefined){
const err9 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "estimands"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(data.sampling === undefined){
const err10 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "sampling"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(data.design === undefined){
const err11 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "design"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(data.uncertainty === undefined){
const err12 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "uncertainty"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(data.immutability === undefined){
const err13 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "immutability"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
for(const key0 in data){
if(!(func1.call(schema20.properties, key0))){
const err14 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.schema_version !== undefined){
if(1 !== data.schema_version){
const err15 = {instancePath:instancePath+"/schema_version",schemaPath:"#/properties/schema_version/const",keyword:"const",params:{allowedValue: 1}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.protocol_sha256 !== undefined){
let data1 = data.protocol_sha256;
if(typeof data1 === "string"){
if(!pattern3.test(data1)){
const err16 = {instancePath:instancePath+"/protocol_sha256",schemaPath:"#/properties/protocol_sha256/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
else {
const err17 = {instancePath:instancePath+"/protocol_sha256",schemaPath:"#/properties/protocol_sha256/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data.protocol_version !== undefined){
let data2 = data.protocol_version;
if(typeof data2 === "string"){
if(data2.length < 1){
const err18 = {instancePath:instancePath+"/protocol_version",schemaPath:"#/properties/protocol_version/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
else {
const err19 = {instancePath:instancePath+"/protocol_version",schemaPath:"#/properties/protocol_version/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.issue !== undefined){
if(410 !== data.issue){
const err20 = {instancePath:instancePath+"/issue",schemaPath:"#/properties/issue/const",keyword:"const",params:{allowedValue: 410}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data.status !== undefined){
if("frozen_before_evaluation" !== data.status){
const err21 = {instancePath:instancePath+"/status",schemaPath:"#/properties/status/const",keyword:"const",params:{allowedValue: "frozen_before_evaluation"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data.purpose !== undefined){
let data5 = data.purpose;
if(typeof data5 === "string"){
if(data5.length < 1){
const err22 = {instancePath:instancePath+"/purpose",schemaPath:"#/properties/purpose/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
else {
const err23 = {instancePath:instancePath+"/purpose",schemaPath:"#/properties/purpose/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data.market !== undefined){
let data6 = data.market;
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
if(data6.instrument === undefined){
const err24 = {instancePath:instancePath+"/market",schemaPath:"#/properties/market/required",keyword:"required",params:{missingProperty: "instrument"}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
if(data6.bar_interval_hours === undefined){
const err25 = {instancePath:instancePath+"/market",schemaPath:"#/properties/market/required",keyword:"required",params:{missingProperty: "bar_interval_hours"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
if(data6.outcome === undefined){
const err26 = {instancePath:instancePath+"/market",schemaPath:"#/properties/market/required",keyword:"required",params:{missingProperty: "outcome"}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
if(data6.vintage_identity === undefined){
const err27 = {instancePath:instancePath+"/market",schemaPath:"#/properties/market/required",keyword:"required",params:{missingProperty: "vintage_identity"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
for(const key1 in data6){
if(!((((key1 === "instrument") || (key1 === "bar_interval_hours")) || (key1 === "outcome")) || (key1 === "vintage_identity"))){
const err28 = {instancePath:instancePath+"/market",schemaPath:"#/properties/market/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data6.instrument !== undefined){
if("BTC/USD" !== data6.instrument){
const err29 = {instancePath:instancePath+"/market/instrument",schemaPath:"#/properties/market/properties/instrument/const",keyword:"const",params:{allowedValue: "BTC/USD"}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
if(data6.bar_interval_hours !== undefined){
if(1 !== data6.bar_interval_hours){
const err30 = {instancePath:instancePath+"/market/bar_interval_hours",schemaPath:"#/properties/market/properties/bar_interval_hours/const",keyword:"const",params:{allowedValue: 1}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
if(data6.outcome !== undefined){
let data9 = data6.outcome;
if(typeof data9 === "string"){
if(data9.length < 1){
const err31 = {instancePath:instancePath+"/market/outcome",schemaPath:"#/properties/market/properties/outcome/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
else {
const err32 = {instancePath:instancePath+"/market/outcome",schemaPath:"#/properties/market/properties/outcome/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
if(data6.vintage_identity !== undefined){
let data10 = data6.vintage_identity;
if(typeof data10 === "string"){
if(data10.length < 1){
const err33 = {instancePath:instancePath+"/market/vintage_identity",schemaPath:"#/properties/market/properties/vintage_identity/minLength",keyword:"minLength",params:{limit: 1}};
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
const err34 = {instancePath:instancePath+"/market/vintage_identity",schemaPath:"#/properties/market/properties/vintage_identity/type",keyword:"type",params:{type: "string"}};
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
const err35 = {instancePath:instancePath+"/market",schemaPath:"#/properties/market/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
if(data.pairing !== undefined){
let data11 = data.pairing;
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
if(data11.key === undefined){
const err36 = {instancePath:instancePath+"/pairing",schemaPath:"#/properties/pairing/required",keyword:"required",params:{missingProperty: "key"}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
if(data11.timestamps === undefined){
const err37 = {instancePath:instancePath+"/pairing",schemaPath:"#/properties/pairing/required",keyword:"required",params:{missingProperty: "timestamps"}};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
if(data11.target_rule === undefined){
const err38 = {instancePath:instancePath+"/pairing",schemaPath:"#/properties/pairing/required",keyword:"required",params:{missingProperty: "target_rule"}};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
if(data11.same_vintage_and_outcome_required === undefined){
const err39 = {instancePath:instancePath+"/pairing",schemaPath:"#/properties/pairing/required",keyword:"required",params:{missingProperty: "same_vintage_and_outcome_required"}};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
if(data11.forecast_information_cutoff === undefined){
const err40 = {instancePath:instancePath+"/pairing",schemaPath:"#/properties/pairing/required",keyword:"required",params:{missingProperty: "forecast_information_cutoff"}};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
if(data11.statuses === undefined){
const err41 = {instancePath:instancePath+"/pairing",schemaPath:"#/properties/pairing/required",keyword:"required",params:{missingProperty: "statuses"}};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
if(data11.failure_denominator === undefined){
const err42 = {instancePath:instancePath+"/pairing",schemaPath:"#/properties/pairing/required",keyword:"required",params:{missingProperty: "failure_denominator"}};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
for(const key2 in data11){
if(!(((((((key2 === "key") || (key2 === "timestamps")) || (key2 === "target_rule")) || (key2 === "same_vintage_and_outcome_required")) || (key2 === "forecast_information_cutoff")) || (key2 === "statuses")) || (key2 === "failure_denominator"))){
const err43 = {instancePath:instancePath+"/pairing",schemaPath:"#/properties/pairing/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
if(data11.key !== undefined){
if(!func0(data11.key, schema20.properties.pairing.properties.key.const)){
const err44 = {instancePath:instancePath+"/pairing/key",schemaPath:"#/properties/pairing/properties/key/const",keyword:"const",params:{allowedValue: schema20.properties.pairing.properties.key.const}};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
if(data11.timestamps !== undefined){
let data13 = data11.timestamps;
if(typeof data13 === "string"){
if(data13.length < 1){
const err45 = {instancePath:instancePath+"/pairing/timestamps",schemaPath:"#/properties/pairing/properties/timestamps/minLength",keyword:"minLength",params:{limit: 1}};
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
const err46 = {instancePath:instancePath+"/pairing/timestamps",schemaPath:"#/properties/pairing/properties/timestamps/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
if(data11.target_rule !== undefined){
let data14 = data11.target_rule;
if(typeof data14 === "string"){
if(data14.length < 1){
const err47 = {instancePath:instancePath+"/pairing/target_rule",schemaPath:"#/properties/pairing/properties/target_rule/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
else {
const err48 = {instancePath:instancePath+"/pairing/target_rule",schemaPath:"#/properties/pairing/properties/target_rule/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
if(data11.same_vintage_and_outcome_required !== undefined){
if(true !== data11.same_vintage_and_outcome_required){
const err49 = {instancePath:instancePath+"/pairing/same_vintage_and_outcome_required",schemaPath:"#/properties/pairing/properties/same_vintage_and_outcome_required/const",keyword:"const",params:{allowedValue: true}};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
if(data11.forecast_information_cutoff !== undefined){
let data16 = data11.forecast_information_cutoff;
if(typeof data16 === "string"){
if(data16.length < 1){
const err50 = {instancePath:instancePath+"/pairing/forecast_information_cutoff",schemaPath:"#/properties/pairing/properties/forecast_information_cutoff/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
else {
const err51 = {instancePath:instancePath+"/pairing/forecast_information_cutoff",schemaPath:"#/properties/pairing/properties/forecast_information_cutoff/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
if(data11.statuses !== undefined){
if(!func0(data11.statuses, schema20.properties.pairing.properties.statuses.const)){
const err52 = {instancePath:instancePath+"/pairing/statuses",schemaPath:"#/properties/pairing/properties/statuses/const",keyword:"const",params:{allowedValue: schema20.properties.pairing.properties.statuses.const}};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
if(data11.failure_denominator !== undefined){
let data18 = data11.failure_denominator;
if(typeof data18 === "string"){
if(data18.length < 1){
const err53 = {instancePath:instancePath+"/pairing/failure_denominator",schemaPath:"#/properties/pairing/properties/failure_denominator/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
}
else {
const err54 = {instancePath:instancePath+"/pairing/failure_denominator",schemaPath:"#/properties/pairing/properties/failure_denominator/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
}
else {
const err55 = {instancePath:instancePath+"/pairing",schemaPath:"#/properties/pairing/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
}
if(data.horizons_hours !== undefined){
if(!func0(data.horizons_hours, schema20.properties.horizons_hours.const)){
const err56 = {instancePath:instancePath+"/horizons_hours",schemaPath:"#/properties/horizons_hours/const",keyword:"const",params:{allowedValue: schema20.properties.horizons_hours.const}};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
}
if(data.estimands !== undefined){
let data20 = data.estimands;
if(data20 && typeof data20 == "object" && !Array.isArray(data20)){
if(data20.point === undefined){
const err57 = {instancePath:instancePath+"/estimands",schemaPath:"#/properties/estimands/required",keyword:"required",params:{missingProperty: "point"}};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
if(data20.interval === undefined){
const err58 = {instancePath:instancePath+"/estimands",schemaPath:"#/properties/estimands/required",keyword:"required",params:{missingProperty: "interval"}};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
if(data20.comparisons === undefined){
const err59 = {instancePath:instancePath+"/estimands",schemaPath:"#/properties/estimands/required",keyword:"required",params:{missingProperty: "comparisons"}};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
for(const key3 in data20){
if(!(((key3 === "point") || (key3 === "interval")) || (key3 === "comparisons"))){
const err60 = {instancePath:instancePath+"/estimands",schemaPath:"#/properties/estimands/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3}};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
}
if(data20.point !== undefined){
let data21 = data20.point;
if(data21 && typeof data21 == "object" && !Array.isArray(data21)){
if(data21.primary === undefined){
const err61 = {instancePath:instancePath+"/estimands/point",schemaPath:"#/properties/estimands/properties/point/required",keyword:"required",params:{missingProperty: "primary"}};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
if(data21.formula === undefined){
const err62 = {instancePath:instancePath+"/estimands/point",schemaPath:"#/properties/estimands/properties/point/required",keyword:"required",params:{missingProperty: "formula"}};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
if(data21.rationale === undefined){
const err63 = {instancePath:instancePath+"/estimands/point",schemaPath:"#/properties/estimands/properties/point/required",keyword:"required",params:{missingProperty: "rationale"}};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
if(data21.secondary === undefined){
const err64 = {instancePath:instancePath+"/estimands/point",schemaPath:"#/properties/estimands/properties/point/required",keyword:"required",params:{missingProperty: "secondary"}};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
if(data21.invalid_prices === undefined){
const err65 = {instancePath:instancePath+"/estimands/point",schemaPath:"#/properties/estimands/properties/point/required",keyword:"required",params:{missingProperty: "invalid_prices"}};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
for(const key4 in data21){
if(!(((((key4 === "primary") || (key4 === "formula")) || (key4 === "rationale")) || (key4 === "secondary")) || (key4 === "invalid_prices"))){
const err66 = {instancePath:instancePath+"/estimands/point",schemaPath:"#/properties/estimands/properties/point/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4}};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
}
if(data21.primary !== undefined){
if("mean_absolute_log_return_error" !== data21.primary){
const err67 = {instancePath:instancePath+"/estimands/point/primary",schemaPath:"#/properties/estimands/properties/point/properties/primary/const",keyword:"const",params:{allowedValue: "mean_absolute_log_return_error"}};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
}
if(data21.formula !== undefined){
let data23 = data21.formula;
if(typeof data23 === "string"){
if(data23.length < 1){
const err68 = {instancePath:instancePath+"/estimands/point/formula",schemaPath:"#/properties/estimands/properties/point/properties/formula/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
}
else {
const err69 = {instancePath:instancePath+"/estimands/point/formula",schemaPath:"#/properties/estimands/properties/point/properties/formula/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
}
if(data21.rationale !== undefined){
let data24 = data21.rationale;
if(typeof data24 === "string"){
if(data24.length < 1){
const err70 = {instancePath:instancePath+"/estimands/point/rationale",schemaPath:"#/properties/estimands/properties/point/properties/rationale/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
}
else {
const err71 = {instancePath:instancePath+"/estimands/point/rationale",schemaPath:"#/properties/estimands/properties/point/properties/rationale/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
}
if(data21.secondary !== undefined){
let data25 = data21.secondary;
if(data25 && typeof data25 == "object" && !Array.isArray(data25)){
if(data25.price_absolute_percent_error === undefined){
const err72 = {instancePath:instancePath+"/estimands/point/secondary",schemaPath:"#/properties/estimands/properties/point/properties/secondary/required",keyword:"required",params:{missingProperty: "price_absolute_percent_error"}};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
if(data25.signed_log_return_bias === undefined){
const err73 = {instancePath:instancePath+"/estimands/point/secondary",schemaPath:"#/properties/estimands/properties/point/properties/secondary/required",keyword:"required",params:{missingProperty: "signed_log_return_bias"}};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
if(data25.signed_price_percent_bias === undefined){
const err74 = {instancePath:instancePath+"/estimands/point/secondary",schemaPath:"#/properties/estimands/properties/point/properties/secondary/required",keyword:"required",params:{missingProperty: "signed_price_percent_bias"}};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
if(data25.direction === undefined){
const err75 = {instancePath:instancePath+"/estimands/point/secondary",schemaPath:"#/properties/estimands/properties/point/properties/secondary/required",keyword:"required",params:{missingProperty: "direction"}};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
for(const key5 in data25){
if(!((((key5 === "price_absolute_percent_error") || (key5 === "signed_log_return_bias")) || (key5 === "signed_price_percent_bias")) || (key5 === "direction"))){
const err76 = {instancePath:instancePath+"/estimands/point/secondary",schemaPath:"#/properties/estimands/properties/point/properties/secondary/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5}};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
}
if(data25.price_absolute_percent_error !== undefined){
let data26 = data25.price_absolute_percent_error;
if(typeof data26 === "string"){
if(data26.length < 1){
const err77 = {instancePath:instancePath+"/estimands/point/secondary/price_absolute_percent_error",schemaPath:"#/properties/estimands/properties/point/properties/secondary/properties/price_absolute_percent_error/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
}
else {
const err78 = {instancePath:instancePath+"/estimands/point/secondary/price_absolute_percent_error",schemaPath:"#/properties/estimands/properties/point/properties/secondary/properties/price_absolute_percent_error/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
}
}
if(data25.signed_log_return_bias !== undefined){
let data27 = data25.signed_log_return_bias;
if(typeof data27 === "string"){
if(data27.length < 1){
const err79 = {instancePath:instancePath+"/estimands/point/secondary/signed_log_return_bias",schemaPath:"#/properties/estimands/properties/point/properties/secondary/properties/signed_log_return_bias/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
}
}
else {
const err80 = {instancePath:instancePath+"/estimands/point/secondary/signed_log_return_bias",schemaPath:"#/properties/estimands/properties/point/properties/secondary/properties/signed_log_return_bias/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
}
}
if(data25.signed_price_percent_bias !== undefined){
let data28 = data25.signed_price_percent_bias;
if(typeof data28 === "string"){
if(data28.length < 1){
const err81 = {instancePath:instancePath+"/estimands/point/secondary/signed_price_percent_bias",schemaPath:"#/properties/estimands/properties/point/properties/secondary/properties/signed_price_percent_bias/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err81];
}
else {
vErrors.push(err81);
}
errors++;
}
}
else {
const err82 = {instancePath:instancePath+"/estimands/point/secondary/signed_price_percent_bias",schemaPath:"#/properties/estimands/properties/point/properties/secondary/properties/signed_price_percent_bias/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err82];
}
else {
vErrors.push(err82);
}
errors++;
}
}
if(data25.direction !== undefined){
let data29 = data25.direction;
if(typeof data29 === "string"){
if(data29.length < 1){
const err83 = {instancePath:instancePath+"/estimands/point/secondary/direction",schemaPath:"#/properties/estimands/properties/point/properties/secondary/properties/direction/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err83];
}
else {
vErrors.push(err83);
}
errors++;
}
}
else {
const err84 = {instancePath:instancePath+"/estimands/point/secondary/direction",schemaPath:"#/properties/estimands/properties/point/properties/secondary/properties/direction/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err84];
}
else {
vErrors.push(err84);
}
errors++;
}
}
}
else {
const err85 = {instancePath:instancePath+"/estimands/point/secondary",schemaPath:"#/properties/estimands/properties/point/properties/secondary/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err85];
}
else {
vErrors.push(err85);
}
errors++;
}
}
if(data21.invalid_prices !== undefined){
let data30 = data21.invalid_prices;
if(typeof data30 === "string"){
if(data30.length < 1){
const err86 = {instancePath:instancePath+"/estimands/point/invalid_prices",schemaPath:"#/properties/estimands/properties/point/properties/invalid_prices/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err86];
}
else {
vErrors.push(err86);
}
errors++;
}
}
else {
const err87 = {instancePath:instancePath+"/estimands/point/invalid_prices",schemaPath:"#/properties/estimands/properties/point/properties/invalid_prices/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err87];
}
else {
vErrors.push(err87);
}
errors++;
}
}
}
else {
const err88 = {instancePath:instancePath+"/estimands/point",schemaPath:"#/properties/estimands/properties/point/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err88];
}
else {
vErrors.push(err88);
}
errors++;
}
}
if(data20.interval !== undefined){
let data31 = data20.interval;
if(data31 && typeof data31 == "object" && !Array.isArray(data31)){
if(data31.separate_from_point_estimand === undefined){
const err89 = {instancePath:instancePath+"/estimands/interval",schemaPath:"#/properties/estimands/properties/interval/required",keyword:"required",params:{missingProperty: "separate_from_point_estimand"}};
if(vErrors === null){
vErrors = [err89];
}
else {
vErrors.push(err89);
}
errors++;
}
if(data31.outcome === undefined){
const err90 = {instancePath:instancePath+"/estimands/interval",schemaPath:"#/properties/estimands/properties/interval/required",keyword:"required",params:{missingProperty: "outcome"}};
if(vErrors === null){
vErrors = [err90];
}
else {
vErrors.push(err90);
}
errors++;
}
if(data31.units === undefined){
const err91 = {instancePath:instancePath+"/estimands/interval",schemaPath:"#/properties/estimands/properties/interval/required",keyword:"required",params:{missingProperty: "units"}};
if(vErrors === null){
vErrors = [err91];
}
else {
vErrors.push(err91);
}
errors++;
}
if(data31.bounds === undefined){
const err92 = {instancePath:instancePath+"/estimands/interval",schemaPath:"#/properties/estimands/properties/interval/required",keyword:"required",params:{missingProperty: "bounds"}};
if(vErrors === null){
vErrors = [err92];
}
else {
vErrors.push(err92);
}
errors++;
}
if(data31.quantiles === undefined){
const err93 = {instancePath:instancePath+"/estimands/interval",schemaPath:"#/properties/estimands/properties/interval/required",keyword:"required",params:{missingProperty: "quantiles"}};
if(vErrors === null){
vErrors = [err93];
}
else {
vErrors.push(err93);
}
errors++;
}
if(data31.pinball === undefined){
const err94 = {instancePath:instancePath+"/estimands/interval",schemaPath:"#/properties/estimands/properties/interval/required",keyword:"required",params:{missingProperty: "pinball"}};
if(vErrors === null){
vErrors = [err94];
}
else {
vErrors.push(err94);
}
errors++;
}
if(data31.primary_interval_score === undefined){
const err95 = {instancePath:instancePath+"/estimands/interval",schemaPath:"#/properties/estimands/properties/interval/required",keyword:"required",params:{missingProperty: "primary_interval_score"}};
if(vErrors === null){
vErrors = [err95];
}
else {
vErrors.push(err95);
}
errors++;
}
if(data31.coverage === undefined){
const err96 = {instancePath:instancePath+"/estimands/interval",schemaPath:"#/properties/estimands/properties/interval/required",keyword:"required",params:{missingProperty: "coverage"}};
if(vErrors === null){
vErrors = [err96];
}
else {
vErrors.push(err96);
}
errors++;
}
if(data31.width === undefined){
const err97 = {instancePath:instancePath+"/estimands/interval",schemaPath:"#/properties/estimands/properties/interval/required",keyword:"required",params:{missingProperty: "width"}};
if(vErrors === null){
vErrors = [err97];
}
else {
vErrors.push(err97);
}
errors++;
}
if(data31.bootstrap === undefined){
const err98 = {instancePath:instancePath+"/estimands/interval",schemaPath:"#/properties/estimands/properties/interval/required",keyword:"required",params:{missingProperty: "bootstrap"}};
if(vErrors === null){
vErrors = [err98];
}
else {
vErrors.push(err98);
}
errors++;
}
if(data31.interpretation === undefined){
const err99 = {instancePath:instancePath+"/estimands/interval",schemaPath:"#/properties/estimands/properties/interval/required",keyword:"required",params:{missingProperty: "interpretation"}};
if(vErrors === null){
vErrors = [err99];
}
else {
vErrors.push(err99);
}
errors++;
}
for(const key6 in data31){
if(!(func1.call(schema20.properties.estimands.properties.interval.properties, key6))){
const err100 = {instancePath:instancePath+"/estimands/interval",schemaPath:"#/properties/estimands/properties/interval/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key6}};
if(vErrors === null){
vErrors = [err100];
}
else {
vErrors.push(err100);
}
errors++;
}
}
if(data31.separate_from_point_estimand !== undefined){
if(true !== data31.separate_from_point_estimand){
const err101 = {instancePath:instancePath+"/estimands/interval/separate_from_point_estimand",schemaPath:"#/properties/estimands/properties/interval/properties/separate_from_point_estimand/const",keyword:"const",params:{allowedValue: true}};
if(vErrors === null){
vErrors = [err101];
}
else {
vErrors.push(err101);
}
errors++;
}
}
if(data31.outcome !== undefined){
let data33 = data31.outcome;
if(typeof data33 === "string"){
if(data33.length < 1){
const err102 = {instancePath:instancePath+"/estimands/interval/outcome",schemaPath:"#/properties/estimands/properties/interval/properties/outcome/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err102];
}
else {
vErrors.push(err102);
}
errors++;
}
}
else {
const err103 = {instancePath:instancePath+"/estimands/interval/outcome",schemaPath:"#/properties/estimands/properties/interval/properties/outcome/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err103];
}
else {
vErrors.push(err103);
}
errors++;
}
}
if(data31.units !== undefined){
let data34 = data31.units;
if(typeof data34 === "string"){
if(data34.length < 1){
const err104 = {instancePath:instancePath+"/estimands/interval/units",schemaPath:"#/properties/estimands/properties/interval/properties/units/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err104];
}
else {
vErrors.push(err104);
}
errors++;
}
}
else {
const err105 = {instancePath:instancePath+"/estimands/interval/units",schemaPath:"#/properties/estimands/properties/interval/properties/units/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err105];
}
else {
vErrors.push(err105);
}
errors++;
}
}
if(data31.bounds !== undefined){
let data35 = data31.bounds;
if(typeof data35 === "string"){
if(data35.length < 1){
const err106 = {instancePath:instancePath+"/estimands/interval/bounds",schemaPath:"#/properties/estimands/properties/interval/properties/bounds/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err106];
}
else {
vErrors.push(err106);
}
errors++;
}
}
else {
const err107 = {instancePath:instancePath+"/estimands/interval/bounds",schemaPath:"#/properties/estimands/properties/interval/properties/bounds/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err107];
}
else {
vErrors.push(err107);
}
errors++;
}
}
if(data31.quantiles !== undefined){
if(!func0(data31.quantiles, schema20.properties.estimands.properties.interval.properties.quantiles.const)){
const err108 = {instancePath:instancePath+"/estimands/interval/quantiles",schemaPath:"#/properties/estimands/properties/interval/properties/quantiles/const",keyword:"const",params:{allowedValue: schema20.properties.estimands.properties.interval.properties.quantiles.const}};
if(vErrors === null){
vErrors = [err108];
}
else {
vErrors.push(err108);
}
errors++;
}
}
if(data31.pinball !== undefined){
let data37 = data31.pinball;
if(typeof data37 === "string"){
if(data37.length < 1){
const err109 = {instancePath:instancePath+"/estimands/interval/pinball",schemaPath:"#/properties/estimands/properties/interval/properties/pinball/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err109];
}
else {
vErrors.push(err109);
}
errors++;
}
}
else {
const err110 = {instancePath:instancePath+"/estimands/interval/pinball",schemaPath:"#/properties/estimands/properties/interval/properties/pinball/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err110];
}
else {
vErrors.push(err110);
}
errors++;
}
}
if(data31.primary_interval_score !== undefined){
let data38 = data31.primary_interval_score;
if(typeof data38 === "string"){
if(data38.length < 1){
const err111 = {instancePath:instancePath+"/estimands/interval/primary_interval_score",schemaPath:"#/properties/estimands/properties/interval/properties/primary_interval_score/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err111];
}
else {
vErrors.push(err111);
}
errors++;
}
}
else {
const err112 = {instancePath:instancePath+"/estimands/interval/primary_interval_score",schemaPath:"#/properties/estimands/properties/interval/properties/primary_interval_score/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err112];
}
else {
vErrors.push(err112);
}
errors++;
}
}
if(data31.coverage !== undefined){
let data39 = data31.coverage;
if(typeof data39 === "string"){
if(data39.length < 1){
const err113 = {instancePath:instancePath+"/estimands/interval/coverage",schemaPath:"#/properties/estimands/properties/interval/properties/coverage/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err113];
}
else {
vErrors.push(err113);
}
errors++;
}
}
else {
const err114 = {instancePath:instancePath+"/estimands/interval/coverage",schemaPath:"#/properties/estimands/properties/interval/properties/coverage/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err114];
}
else {
vErrors.push(err114);
}
errors++;
}
}
if(data31.width !== undefined){
let data40 = data31.width;
if(typeof data40 === "string"){
if(data40.length < 1){
const err115 = {instancePath:instancePath+"/estimands/interval/width",schemaPath:"#/properties/estimands/properties/interval/properties/width/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err115];
}
else {
vErrors.push(err115);
}
errors++;
}
}
else {
const err116 = {instancePath:instancePath+"/estimands/interval/width",schemaPath:"#/properties/estimands/properties/interval/properties/width/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err116];
}
else {
vErrors.push(err116);
}
errors++;
}
}
if(data31.bootstrap !== undefined){
let data41 = data31.bootstrap;
if(typeof data41 === "string"){
if(data41.length < 1){
const err117 = {instancePath:instancePath+"/estimands/interval/bootstrap",schemaPath:"#/properties/estimands/properties/interval/properties/bootstrap/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err117];
}
else {
vErrors.push(err117);
}
errors++;
}
}
else {
const err118 = {instancePath:instancePath+"/estimands/interval/bootstrap",schemaPath:"#/properties/estimands/properties/interval/properties/bootstrap/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err118];
}
else {
vErrors.push(err118);
}
errors++;
}
}
if(data31.interpretation !== undefined){
let data42 = data31.interpretation;
if(typeof data42 === "string"){
if(data42.length < 1){
const err119 = {instancePath:instancePath+"/estimands/interval/interpretation",schemaPath:"#/properties/estimands/properties/interval/properties/interpretation/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err119];
}
else {
vErrors.push(err119);
}
errors++;
}
}
else {
const err120 = {instancePath:instancePath+"/estimands/interval/interpretation",schemaPath:"#/properties/estimands/properties/interval/properties/interpretation/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err120];
}
else {
vErrors.push(err120);
}
errors++;
}
}
}
else {
const err121 = {instancePath:instancePath+"/estimands/interval",schemaPath:"#/properties/estimands/properties/interval/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err121];
}
else {
vErrors.push(err121);
}
errors++;
}
}
if(data20.comparisons !== undefined){
let data43 = data20.comparisons;
if(data43 && typeof data43 == "object" && !Array.isArray(data43)){
if(data43.required === undefined){
const err122 = {instancePath:instancePath+"/estimands/comparisons",schemaPath:"#/properties/estimands/properties/comparisons/required",keyword:"required",params:{missingProperty: "required"}};
if(vErrors === null){
vErrors = [err122];
}
else {
vErrors.push(err122);
}
errors++;
}
if(data43.simple_baseline_pool === undefined){
const err123 = {instancePath:instancePath+"/estimands/comparisons",schemaPath:"#/properties/estimands/properties/comparisons/required",keyword:"required",params:{missingProperty: "simple_baseline_pool"}};
if(vErrors === null){
vErrors = [err123];
}
else {
vErrors.push(err123);
}
errors++;
}
if(data43.selection === undefined){
const err124 = {instancePath:instancePath+"/estimands/comparisons",schemaPath:"#/properties/estimands/properties/comparisons/required",keyword:"required",params:{missingProperty: "selection"}};
if(vErrors === null){
vErrors = [err124];
}
else {
vErrors.push(err124);
}
errors++;
}
for(const key7 in data43){
if(!(((key7 === "required") || (key7 === "simple_baseline_pool")) || (key7 === "selection"))){
const err125 = {instancePath:instancePath+"/estimands/comparisons",schemaPath:"#/properties/estimands/properties/comparisons/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key7}};
if(vErrors === null){
vErrors = [err125];
}
else {
vErrors.push(err125);
}
errors++;
}
}
if(data43.required !== undefined){
let data44 = data43.required;
if(Array.isArray(data44)){
if(data44.length < 4){
const err126 = {instancePath:instancePath+"/estimands/comparisons/required",schemaPath:"#/properties/estimands/properties/comparisons/properties/required/minItems",keyword:"minItems",params:{limit: 4}};
if(vErrors === null){
vErrors = [err126];
}
else {
vErrors.push(err126);
}
errors++;
}
const len0 = data44.length;
for(let i0=0; i0<len0; i0++){
let data45 = data44[i0];
if(typeof data45 === "string"){
if(data45.length < 1){
const err127 = {instancePath:instancePath+"/estimands/comparisons/required/" + i0,schemaPath:"#/properties/estimands/properties/comparisons/properties/required/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err127];
}
else {
vErrors.push(err127);
}
errors++;
}
}
else {
const err128 = {instancePath:instancePath+"/estimands/comparisons/required/" + i0,schemaPath:"#/properties/estimands/properties/comparisons/properties/required/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err128];
}
else {
vErrors.push(err128);
}
errors++;
}
}
let i1 = data44.length;
let j0;
if(i1 > 1){
const indices0 = {};
for(;i1--;){
let item0 = data44[i1];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
const err129 = {instancePath:instancePath+"/estimands/comparisons/required",schemaPath:"#/properties/estimands/properties/comparisons/properties/required/uniqueItems",keyword:"uniqueItems",params:{i: i1, j: j0}};
if(vErrors === null){
vErrors = [err129];
}
else {
vErrors.push(err129);
}
errors++;
break;
}
indices0[item0] = i1;
}
}
}
else {
const err130 = {instancePath:instancePath+"/estimands/comparisons/required",schemaPath:"#/properties/estimands/properties/comparisons/properties/required/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err130];
}
else {
vErrors.push(err130);
}
errors++;
}
}
if(data43.simple_baseline_pool !== undefined){
let data46 = data43.simple_baseline_pool;
if(Array.isArray(data46)){
if(data46.length < 1){
const err131 = {instancePath:instancePath+"/estimands/comparisons/simple_baseline_pool",schemaPath:"#/properties/estimands/properties/comparisons/properties/simple_baseline_pool/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err131];
}
else {
vErrors.push(err131);
}
errors++;
}
const len1 = data46.length;
for(let i2=0; i2<len1; i2++){
let data47 = data46[i2];
if(typeof data47 === "string"){
if(data47.length < 1){
const err132 = {instancePath:instancePath+"/estimands/comparisons/simple_baseline_pool/" + i2,schemaPath:"#/properties/estimands/properties/comparisons/properties/simple_baseline_pool/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err132];
}
else {
vErrors.push(err132);
}
errors++;
}
}
else {
const err133 = {instancePath:instancePath+"/estimands/comparisons/simple_baseline_pool/" + i2,schemaPath:"#/properties/estimands/properties/comparisons/properties/simple_baseline_pool/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err133];
}
else {
vErrors.push(err133);
}
errors++;
}
}
let i3 = data46.length;
let j1;
if(i3 > 1){
const indices1 = {};
for(;i3--;){
let item1 = data46[i3];
if(typeof item1 !== "string"){
continue;
}
if(typeof indices1[item1] == "number"){
j1 = indices1[item1];
const err134 = {instancePath:instancePath+"/estimands/comparisons/simple_baseline_pool",schemaPath:"#/properties/estimands/properties/comparisons/properties/simple_baseline_pool/uniqueItems",keyword:"uniqueItems",params:{i: i3, j: j1}};
if(vErrors === null){
vErrors = [err134];
}
else {
vErrors.push(err134);
}
errors++;
break;
}
indices1[item1] = i3;
}
}
}
else {
const err135 = {instancePath:instancePath+"/estimands/comparisons/simple_baseline_pool",schemaPath:"#/properties/estimands/properties/comparisons/properties/simple_baseline_pool/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err135];
}
else {
vErrors.push(err135);
}
errors++;
}
}
if(data43.selection !== undefined){
let data48 = data43.selection;
if(typeof data48 === "string"){
if(data48.length < 1){
const err136 = {instancePath:instancePath+"/estimands/comparisons/selection",schemaPath:"#/properties/estimands/properties/comparisons/properties/selection/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err136];
}
else {
vErrors.push(err136);
}
errors++;
}
}
else {
const err137 = {instancePath:instancePath+"/estimands/comparisons/selection",schemaPath:"#/properties/estimands/properties/comparisons/properties/selection/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err137];
}
else {
vErrors.push(err137);
}
errors++;
}
}
}
else {
const err138 = {instancePath:instancePath+"/estimands/comparisons",schemaPath:"#/properties/estimands/properties/comparisons/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err138];
}
else {
vErrors.push(err138);
}
errors++;
}
}
}
else {
const err139 = {instancePath:instancePath+"/estimands",schemaPath:"#/properties/estimands/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err139];
}
else {
vErrors.push(err139);
}
errors++;
}
}
if(data.sampling !== undefined){
let data49 = data.sampling;
if(data49 && typeof data49 == "object" && !Array.isArray(data49)){
if(data49.strata === undefined){
const err140 = {instancePath:instancePath+"/sampling",schemaPath:"#/properties/sampling/required",keyword:"required",params:{missingProperty: "strata"}};
if(vErrors === null){
vErrors = [err140];
}
else {
vErrors.push(err140);
}
errors++;
}
if(data49.minimum_effective_sample === undefined){
const err141 = {instancePath:instancePath+"/sampling",schemaPath:"#/properties/sampling/required",keyword:"required",params:{missingProperty: "minimum_effective_sample"}};
if(vErrors === null){
vErrors = [err141];
}
else {
vErrors.push(err141);
}
errors++;
}
if(data49.effective_sample === undefined){
const err142 = {instancePath:instancePath+"/sampling",schemaPath:"#/properties/sampling/required",keyword:"required",params:{missingProperty: "effective_sample"}};
if(vErrors === null){
vErrors = [err142];
}
else {
vErrors.push(err142);
}
errors++;
}
for(const key8 in data49){
if(!(((key8 === "strata") || (key8 === "minimum_effective_sample")) || (key8 === "effective_sample"))){
const err143 = {instancePath:instancePath+"/sampling",schemaPath:"#/properties/sampling/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key8}};
if(vErrors === null){
vErrors = [err143];
}
else {
vErrors.push(err143);
}
errors++;
}
}
if(data49.strata !== undefined){
let data50 = data49.strata;
if(Array.isArray(data50)){
if(data50.length < 1){
const err144 = {instancePath:instancePath+"/sampling/strata",schemaPath:"#/properties/sampling/properties/strata/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err144];
}
else {
vErrors.push(err144);
}
errors++;
}
const len2 = data50.length;
for(let i4=0; i4<len2; i4++){
let data51 = data50[i4];
if(typeof data51 === "string"){
if(data51.length < 1){
const err145 = {instancePath:instancePath+"/sampling/strata/" + i4,schemaPath:"#/properties/sampling/properties/strata/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err145];
}
else {
vErrors.push(err145);
}
errors++;
}
}
else {
const err146 = {instancePath:instancePath+"/sampling/strata/" + i4,schemaPath:"#/properties/sampling/properties/strata/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err146];
}
else {
vErrors.push(err146);
}
errors++;
}
}
let i5 = data50.length;
let j2;
if(i5 > 1){
const indices2 = {};
for(;i5--;){
let item2 = data50[i5];
if(typeof item2 !== "string"){
continue;
}
if(typeof indices2[item2] == "number"){
j2 = indices2[item2];
const err147 = {instancePath:instancePath+"/sampling/strata",schemaPath:"#/properties/sampling/properties/strata/uniqueItems",keyword:"uniqueItems",params:{i: i5, j: j2}};
if(vErrors === null){
vErrors = [err147];
}
else {
vErrors.push(err147);
}
errors++;
break;
}
indices2[item2] = i5;
}
}
}
else {
const err148 = {instancePath:instancePath+"/sampling/strata",schemaPath:"#/properties/sampling/properties/strata/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err148];
}
else {
vErrors.push(err148);
}
errors++;
}
}
if(data49.minimum_effective_sample !== undefined){
let data52 = data49.minimum_effective_sample;
if(data52 && typeof data52 == "object" && !Array.isArray(data52)){
if(data52.paired_origins_per_horizon === undefined){
const err149 = {instancePath:instancePath+"/sampling/minimum_effective_sample",schemaPath:"#/properties/sampling/properties/minimum_effective_sample/required",keyword:"required",params:{missingProperty: "paired_origins_per_horizon"}};
if(vErrors === null){
vErrors = [err149];
}
else {
vErrors.push(err149);
}
errors++;
}
if(data52.effective_independent_blocks_per_comparison === undefined){
const err150 = {instancePath:instancePath+"/sampling/minimum_effective_sample",schemaPath:"#/properties/sampling/properties/minimum_effective_sample/required",keyword:"required",params:{missingProperty: "effective_independent_blocks_per_comparison"}};
if(vErrors === null){
vErrors = [err150];
}
else {
vErrors.push(err150);
}
errors++;
}
if(data52.rule === undefined){
const err151 = {instancePath:instancePath+"/sampling/minimum_effective_sample",schemaPath:"#/properties/sampling/properties/minimum_effective_sample/required",keyword:"required",params:{missingProperty: "rule"}};
if(vErrors === null){
vErrors = [err151];
}
else {
vErrors.push(err151);
}
errors++;
}
for(const key9 in data52){
if(!(((key9 === "paired_origins_per_horizon") || (key9 === "effective_independent_blocks_per_comparison")) || (key9 === "rule"))){
const err152 = {instancePath:instancePath+"/sampling/minimum_effective_sample",schemaPath:"#/properties/sampling/properties/minimum_effective_sample/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key9}};
if(vErrors === null){
vErrors = [err152];
}
else {
vErrors.push(err152);
}
errors++;
}
}
if(data52.paired_origins_per_horizon !== undefined){
let data53 = data52.paired_origins_per_horizon;
if(!(((typeof data53 == "number") && (!(data53 % 1) && !isNaN(data53))) && (isFinite(data53)))){
const err153 = {instancePath:instancePath+"/sampling/minimum_effective_sample/paired_origins_per_horizon",schemaPath:"#/properties/sampling/properties/minimum_effective_sample/properties/paired_origins_per_horizon/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err153];
}
else {
vErrors.push(err153);
}
errors++;
}
if((typeof data53 == "number") && (isFinite(data53))){
if(data53 < 1 || isNaN(data53)){
const err154 = {instancePath:instancePath+"/sampling/minimum_effective_sample/paired_origins_per_horizon",schemaPath:"#/properties/sampling/properties/minimum_effective_sample/properties/paired_origins_per_horizon/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err154];
}
else {
vErrors.push(err154);
}
errors++;
}
}
}
if(data52.effective_independent_blocks_per_comparison !== undefined){
let data54 = data52.effective_independent_blocks_per_comparison;
if(!(((typeof data54 == "number") && (!(data54 % 1) && !isNaN(data54))) && (isFinite(data54)))){
const err155 = {instancePath:instancePath+"/sampling/minimum_effective_sample/effective_independent_blocks_per_comparison",schemaPath:"#/properties/sampling/properties/minimum_effective_sample/properties/effective_independent_blocks_per_comparison/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err155];
}
else {
vErrors.push(err155);
}
errors++;
}
if((typeof data54 == "number") && (isFinite(data54))){
if(data54 < 1 || isNaN(data54)){
const err156 = {instancePath:instancePath+"/sampling/minimum_effective_sample/effective_independent_blocks_per_comparison",schemaPath:"#/properties/sampling/properties/minimum_effective_sample/properties/effective_independent_blocks_per_comparison/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err156];
}
else {
vErrors.push(err156);
}
errors++;
}
}
}
if(data52.rule !== undefined){
let data55 = data52.rule;
if(typeof data55 === "string"){
if(data55.length < 1){
const err157 = {instancePath:instancePath+"/sampling/minimum_effective_sample/rule",schemaPath:"#/properties/sampling/properties/minimum_effective_sample/properties/rule/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err157];
}
else {
vErrors.push(err157);
}
errors++;
}
}
else {
const err158 = {instancePath:instancePath+"/sampling/minimum_effective_sample/rule",schemaPath:"#/properties/sampling/properties/minimum_effective_sample/properties/rule/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err158];
}
else {
vErrors.push(err158);
}
errors++;
}
}
}
else {
const err159 = {instancePath:instancePath+"/sampling/minimum_effective_sample",schemaPath:"#/properties/sampling/properties/minimum_effective_sample/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err159];
}
else {
vErrors.push(err159);
}
errors++;
}
}
if(data49.effective_sample !== undefined){
let data56 = data49.effective_sample;
if(typeof data56 === "string"){
if(data56.length < 1){
const err160 = {instancePath:instancePath+"/sampling/effective_sample",schemaPath:"#/properties/sampling/properties/effective_sample/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err160];
}
else {
vErrors.push(err160);
}
errors++;
}
}
else {
const err161 = {instancePath:instancePath+"/sampling/effective_sample",schemaPath:"#/properties/sampling/properties/effective_sample/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err161];
}
else {
vErrors.push(err161);
}
errors++;
}
}
}
else {
const err162 = {instancePath:instancePath+"/sampling",schemaPath:"#/properties/sampling/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err162];
}
else {
vErrors.push(err162);
}
errors++;
}
}
if(data.design !== undefined){
let data57 = data.design;
if(data57 && typeof data57 == "object" && !Array.isArray(data57)){
if(data57.selection === undefined){
const err163 = {instancePath:instancePath+"/design",schemaPath:"#/properties/design/required",keyword:"required",params:{missingProperty: "selection"}};
if(vErrors === null){
vErrors = [err163];
}
else {
vErrors.push(err163);
}
errors++;
}
if(data57.holdout === undefined){
const err164 = {instancePath:instancePath+"/design",schemaPath:"#/properties/design/required",keyword:"required",params:{missingProperty: "holdout"}};
if(vErrors === null){
vErrors = [err164];
}
else {
vErrors.push(err164);
}
errors++;
}
if(data57.d3 === undefined){
const err165 = {instancePath:instancePath+"/design",schemaPath:"#/properties/design/required",keyword:"required",params:{missingProperty: "d3"}};
if(vErrors === null){
vErrors = [err165];
}
else {
vErrors.push(err165);
}
errors++;
}
if(data57.cutoff === undefined){
const err166 = {instancePath:instancePath+"/design",schemaPath:"#/properties/design/required",keyword:"required",params:{missingProperty: "cutoff"}};
if(vErrors === null){
vErrors = [err166];
}
else {
vErrors.push(err166);
}
errors++;
}
if(data57.stopping === undefined){
const err167 = {instancePath:instancePath+"/design",schemaPath:"#/properties/design/required",keyword:"required",params:{missingProperty: "stopping"}};
if(vErrors === null){
vErrors = [err167];
}
else {
vErrors.push(err167);
}
errors++;
}
if(data57.practical_effect_floor === undefined){
const err168 = {instancePath:instancePath+"/design",schemaPath:"#/properties/design/required",keyword:"required",params:{missingProperty: "practical_effect_floor"}};
if(vErrors === null){
vErrors = [err168];
}
else {
vErrors.push(err168);
}
errors++;
}
if(data57.practical_effect_definition === undefined){
const err169 = {instancePath:instancePath+"/design",schemaPath:"#/properties/design/required",keyword:"required",params:{missingProperty: "practical_effect_definition"}};
if(vErrors === null){
vErrors = [err169];
}
else {
vErrors.push(err169);
}
errors++;
}
if(data57.limits === undefined){
const err170 = {instancePath:instancePath+"/design",schemaPath:"#/properties/design/required",keyword:"required",params:{missingProperty: "limits"}};
if(vErrors === null){
vErrors = [err170];
}
else {
vErrors.push(err170);
}
errors++;
}
if(data57.disposition === undefined){
const err171 = {instancePath:instancePath+"/design",schemaPath:"#/properties/design/required",keyword:"required",params:{missingProperty: "disposition"}};
if(vErrors === null){
vErrors = [err171];
}
else {
vErrors.push(err171);
}
errors++;
}
if(data57.promotion === undefined){
const err172 = {instancePath:instancePath+"/design",schemaPath:"#/properties/design/required",keyword:"required",params:{missingProperty: "promotion"}};
if(vErrors === null){
vErrors = [err172];
}
else {
vErrors.push(err172);
}
errors++;
}
for(const key10 in data57){
if(!(func1.call(schema20.properties.design.properties, key10))){
const err173 = {instancePath:instancePath+"/design",schemaPath:"#/properties/design/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key10}};
if(vErrors === null){
vErrors = [err173];
}
else {
vErrors.push(err173);
}
errors++;
}
}
if(data57.selection !== undefined){
let data58 = data57.selection;
if(typeof data58 === "string"){
if(data58.length < 1){
const err174 = {instancePath:instancePath+"/design/selection",schemaPath:"#/properties/design/properties/selection/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err174];
}
else {
vErrors.push(err174);
}
errors++;
}
}
else {
const err175 = {instancePath:instancePath+"/design/selection",schemaPath:"#/properties/design/properties/selection/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err175];
}
else {
vErrors.push(err175);
}
errors++;
}
}
if(data57.holdout !== undefined){
let data59 = data57.holdout;
if(typeof data59 === "string"){
if(data59.length < 1){
const err176 = {instancePath:instancePath+"/design/holdout",schemaPath:"#/properties/design/properties/holdout/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err176];
}
else {
vErrors.push(err176);
}
errors++;
}
}
else {
const err177 = {instancePath:instancePath+"/design/holdout",schemaPath:"#/properties/design/properties/holdout/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err177];
}
else {
vErrors.push(err177);
}
errors++;
}
}
if(data57.d3 !== undefined){
let data60 = data57.d3;
if(typeof data60 === "string"){
if(data60.length < 1){
const err178 = {instancePath:instancePath+"/design/d3",schemaPath:"#/properties/design/properties/d3/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err178];
}
else {
vErrors.push(err178);
}
errors++;
}
}
else {
const err179 = {instancePath:instancePath+"/design/d3",schemaPath:"#/properties/design/properties/d3/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err179];
}
else {
vErrors.push(err179);
}
errors++;
}
}
if(data57.cutoff !== undefined){
let data61 = data57.cutoff;
if(typeof data61 === "string"){
if(data61.length < 1){
const err180 = {instancePath:instancePath+"/design/cutoff",schemaPath:"#/properties/design/properties/cutoff/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err180];
}
else {
vErrors.push(err180);
}
errors++;
}
}
else {
const err181 = {instancePath:instancePath+"/design/cutoff",schemaPath:"#/properties/design/properties/cutoff/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err181];
}
else {
vErrors.push(err181);
}
errors++;
}
}
if(data57.stopping !== undefined){
let data62 = data57.stopping;
if(typeof data62 === "string"){
if(data62.length < 1){
const err182 = {instancePath:instancePath+"/design/stopping",schemaPath:"#/properties/design/properties/stopping/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err182];
}
else {
vErrors.push(err182);
}
errors++;
}
}
else {
const err183 = {instancePath:instancePath+"/design/stopping",schemaPath:"#/properties/design/properties/stopping/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err183];
}
else {
vErrors.push(err183);
}
errors++;
}
}
if(data57.practical_effect_floor !== undefined){
let data63 = data57.practical_effect_floor;
if((typeof data63 == "number") && (isFinite(data63))){
if(data63 < 0 || isNaN(data63)){
const err184 = {instancePath:instancePath+"/design/practical_effect_floor",schemaPath:"#/properties/design/properties/practical_effect_floor/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err184];
}
else {
vErrors.push(err184);
}
errors++;
}
}
else {
const err185 = {instancePath:instancePath+"/design/practical_effect_floor",schemaPath:"#/properties/design/properties/practical_effect_floor/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err185];
}
else {
vErrors.push(err185);
}
errors++;
}
}
if(data57.practical_effect_definition !== undefined){
let data64 = data57.practical_effect_definition;
if(typeof data64 === "string"){
if(data64.length < 1){
const err186 = {instancePath:instancePath+"/design/practical_effect_definition",schemaPath:"#/properties/design/properties/practical_effect_definition/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err186];
}
else {
vErrors.push(err186);
}
errors++;
}
}
else {
const err187 = {instancePath:instancePath+"/design/practical_effect_definition",schemaPath:"#/properties/design/properties/practical_effect_definition/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err187];
}
else {
vErrors.push(err187);
}
errors++;
}
}
if(data57.limits !== undefined){
let data65 = data57.limits;
if(data65 && typeof data65 == "object" && !Array.isArray(data65)){
if(data65.per_horizon_regression === undefined){
const err188 = {instancePath:instancePath+"/design/limits",schemaPath:"#/properties/design/properties/limits/required",keyword:"required",params:{missingProperty: "per_horizon_regression"}};
if(vErrors === null){
vErrors = [err188];
}
else {
vErrors.push(err188);
}
errors++;
}
if(data65.directional_loss === undefined){
const err189 = {instancePath:instancePath+"/design/limits",schemaPath:"#/properties/design/properties/limits/required",keyword:"required",params:{missingProperty: "directional_loss"}};
if(vErrors === null){
vErrors = [err189];
}
else {
vErrors.push(err189);
}
errors++;
}
for(const key11 in data65){
if(!((key11 === "per_horizon_regression") || (key11 === "directional_loss"))){
const err190 = {instancePath:instancePath+"/design/limits",schemaPath:"#/properties/design/properties/limits/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key11}};
if(vErrors === null){
vErrors = [err190];
}
else {
vErrors.push(err190);
}
errors++;
}
}
if(data65.per_horizon_regression !== undefined){
let data66 = data65.per_horizon_regression;
if(typeof data66 === "string"){
if(data66.length < 1){
const err191 = {instancePath:instancePath+"/design/limits/per_horizon_regression",schemaPath:"#/properties/design/properties/limits/properties/per_horizon_regression/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err191];
}
else {
vErrors.push(err191);
}
errors++;
}
}
else {
const err192 = {instancePath:instancePath+"/design/limits/per_horizon_regression",schemaPath:"#/properties/design/properties/limits/properties/per_horizon_regression/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err192];
}
else {
vErrors.push(err192);
}
errors++;
}
}
if(data65.directional_loss !== undefined){
let data67 = data65.directional_loss;
if(typeof data67 === "string"){
if(data67.length < 1){
const err193 = {instancePath:instancePath+"/design/limits/directional_loss",schemaPath:"#/properties/design/properties/limits/properties/directional_loss/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err193];
}
else {
vErrors.push(err193);
}
errors++;
}
}
else {
const err194 = {instancePath:instancePath+"/design/limits/directional_loss",schemaPath:"#/properties/design/properties/limits/properties/directional_loss/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err194];
}
else {
vErrors.push(err194);
}
errors++;
}
}
}
else {
const err195 = {instancePath:instancePath+"/design/limits",schemaPath:"#/properties/design/properties/limits/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err195];
}
else {
vErrors.push(err195);
}
errors++;
}
}
if(data57.disposition !== undefined){
let data68 = data57.disposition;
if(Array.isArray(data68)){
if(data68.length < 4){
const err196 = {instancePath:instancePath+"/design/disposition",schemaPath:"#/properties/design/properties/disposition/minItems",keyword:"minItems",params:{limit: 4}};
if(vErrors === null){
vErrors = [err196];
}
else {
vErrors.push(err196);
}
errors++;
}
const len3 = data68.length;
for(let i6=0; i6<len3; i6++){
let data69 = data68[i6];
if(typeof data69 === "string"){
if(data69.length < 1){
const err197 = {instancePath:instancePath+"/design/disposition/" + i6,schemaPath:"#/properties/design/properties/disposition/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err197];
}
else {
vErrors.push(err197);
}
errors++;
}
}
else {
const err198 = {instancePath:instancePath+"/design/disposition/" + i6,schemaPath:"#/properties/design/properties/disposition/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err198];
}
else {
vErrors.push(err198);
}
errors++;
}
}
let i7 = data68.length;
let j3;
if(i7 > 1){
const indices3 = {};
for(;i7--;){
let item3 = data68[i7];
if(typeof item3 !== "string"){
continue;
}
if(typeof indices3[item3] == "number"){
j3 = indices3[item3];
const err199 = {instancePath:instancePath+"/design/disposition",schemaPath:"#/properties/design/properties/disposition/uniqueItems",keyword:"uniqueItems",params:{i: i7, j: j3}};
if(vErrors === null){
vErrors = [err199];
}
else {
vErrors.push(err199);
}
errors++;
break;
}
indices3[item3] = i7;
}
}
}
else {
const err200 = {instancePath:instancePath+"/design/disposition",schemaPath:"#/properties/design/properties/disposition/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err200];
}
else {
vErrors.push(err200);
}
errors++;
}
}
if(data57.promotion !== undefined){
let data70 = data57.promotion;
if(typeof data70 === "string"){
if(data70.length < 1){
const err201 = {instancePath:instancePath+"/design/promotion",schemaPath:"#/properties/design/properties/promotion/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err201];
}
else {
vErrors.push(err201);
}
errors++;
}
}
else {
const err202 = {instancePath:instancePath+"/design/promotion",schemaPath:"#/properties/design/properties/promotion/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err202];
}
else {
vErrors.push(err202);
}
errors++;
}
}
}
else {
const err203 = {instancePath:instancePath+"/design",schemaPath:"#/properties/design/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err203];
}
else {
vErrors.push(err203);
}
errors++;
}
}
if(data.uncertainty !== undefined){
let data71 = data.uncertainty;
if(data71 && typeof data71 == "object" && !Array.isArray(data71)){
if(data71.paired === undefined){
const err204 = {instancePath:instancePath+"/uncertainty",schemaPath:"#/properties/uncertainty/required",keyword:"required",params:{missingProperty: "paired"}};
if(vErrors === null){
vErrors = [err204];
}
else {
vErrors.push(err204);
}
errors++;
}
if(data71.method === undefined){
const err205 = {instancePath:instancePath+"/uncertainty",schemaPath:"#/properties/uncertainty/required",keyword:"required",params:{missingProperty: "method"}};
if(vErrors === null){
vErrors = [err205];
}
else {
vErrors.push(err205);
}
errors++;
}
if(data71.block_length_origins === undefined){
const err206 = {instancePath:instancePath+"/uncertainty",schemaPath:"#/properties/uncertainty/required",keyword:"required",params:{missingProperty: "block_length_origins"}};
if(vErrors === null){
vErrors = [err206];
}
else {
vErrors.push(err206);
}
errors++;
}
if(data71.overlap_rule === undefined){
const err207 = {instancePath:instancePath+"/uncertainty",schemaPath:"#/properties/uncertainty/required",keyword:"required",params:{missingProperty: "overlap_rule"}};
if(vErrors === null){
vErrors = [err207];
}
else {
vErrors.push(err207);
}
errors++;
}
if(data71.replicates === undefined){
const err208 = {instancePath:instancePath+"/uncertainty",schemaPath:"#/properties/uncertainty/required",keyword:"required",params:{missingProperty: "replicates"}};
if(vErrors === null){
vErrors = [err208];
}
else {
vErrors.push(err208);
}
errors++;
}
if(data71.interval === undefined){
const err209 = {instancePath:instancePath+"/uncertainty",schemaPath:"#/properties/uncertainty/required",keyword:"required",params:{missingProperty: "interval"}};
if(vErrors === null){
vErrors = [err209];
}
else {
vErrors.push(err209);
}
errors++;
}
if(data71.strata_handling === undefined){
const err210 = {instancePath:instancePath+"/uncertainty",schemaPath:"#/properties/uncertainty/required",keyword:"required",params:{missingProperty: "strata_handling"}};
if(vErrors === null){
vErrors = [err210];
}
else {
vErrors.push(err210);
}
errors++;
}
if(data71.multiplicity === undefined){
const err211 = {instancePath:instancePath+"/uncertainty",schemaPath:"#/properties/uncertainty/required",keyword:"required",params:{missingProperty: "multiplicity"}};
if(vErrors === null){
vErrors = [err211];
}
else {
vErrors.push(err211);
}
errors++;
}
if(data71.seed === undefined){
const err212 = {instancePath:instancePath+"/uncertainty",schemaPath:"#/properties/uncertainty/required",keyword:"required",params:{missingProperty: "seed"}};
if(vErrors === null){
vErrors = [err212];
}
else {
vErrors.push(err212);
}
errors++;
}
for(const key12 in data71){
if(!(func1.call(schema20.properties.uncertainty.properties, key12))){
const err213 = {instancePath:instancePath+"/uncertainty",schemaPath:"#/properties/uncertainty/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key12}};
if(vErrors === null){
vErrors = [err213];
}
else {
vErrors.push(err213);
}
errors++;
}
}
if(data71.paired !== undefined){
if(true !== data71.paired){
const err214 = {instancePath:instancePath+"/uncertainty/paired",schemaPath:"#/properties/uncertainty/properties/paired/const",keyword:"const",params:{allowedValue: true}};
if(vErrors === null){
vErrors = [err214];
}
else {
vErrors.push(err214);
}
errors++;
}
}
if(data71.method !== undefined){
let data73 = data71.method;
if(typeof data73 === "string"){
if(data73.length < 1){
const err215 = {instancePath:instancePath+"/uncertainty/method",schemaPath:"#/properties/uncertainty/properties/method/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err215];
}
else {
vErrors.push(err215);
}
errors++;
}
}
else {
const err216 = {instancePath:instancePath+"/uncertainty/method",schemaPath:"#/properties/uncertainty/properties/method/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err216];
}
else {
vErrors.push(err216);
}
errors++;
}
}
if(data71.block_length_origins !== undefined){
let data74 = data71.block_length_origins;
if(!(((typeof data74 == "number") && (!(data74 % 1) && !isNaN(data74))) && (isFinite(data74)))){
const err217 = {instancePath:instancePath+"/uncertainty/block_length_origins",schemaPath:"#/properties/uncertainty/properties/block_length_origins/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err217];
}
else {
vErrors.push(err217);
}
errors++;
}
if((typeof data74 == "number") && (isFinite(data74))){
if(data74 < 1 || isNaN(data74)){
const err218 = {instancePath:instancePath+"/uncertainty/block_length_origins",schemaPath:"#/properties/uncertainty/properties/block_length_origins/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err218];
}
else {
vErrors.push(err218);
}
errors++;
}
}
}
if(data71.overlap_rule !== undefined){
let data75 = data71.overlap_rule;
if(typeof data75 === "string"){
if(data75.length < 1){
const err219 = {instancePath:instancePath+"/uncertainty/overlap_rule",schemaPath:"#/properties/uncertainty/properties/overlap_rule/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err219];
}
else {
vErrors.push(err219);
}
errors++;
}
}
else {
const err220 = {instancePath:instancePath+"/uncertainty/overlap_rule",schemaPath:"#/properties/uncertainty/properties/overlap_rule/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err220];
}
else {
vErrors.push(err220);
}
errors++;
}
}
if(data71.replicates !== undefined){
let data76 = data71.replicates;
if(!(((typeof data76 == "number") && (!(data76 % 1) && !isNaN(data76))) && (isFinite(data76)))){
const err221 = {instancePath:instancePath+"/uncertainty/replicates",schemaPath:"#/properties/uncertainty/properties/replicates/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err221];
}
else {
vErrors.push(err221);
}
errors++;
}
if((typeof data76 == "number") && (isFinite(data76))){
if(data76 < 1 || isNaN(data76)){
const err222 = {instancePath:instancePath+"/uncertainty/replicates",schemaPath:"#/properties/uncertainty/properties/replicates/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err222];
}
else {
vErrors.push(err222);
}
errors++;
}
}
}
if(data71.interval !== undefined){
let data77 = data71.interval;
if(typeof data77 === "string"){
if(data77.length < 1){
const err223 = {instancePath:instancePath+"/uncertainty/interval",schemaPath:"#/properties/uncertainty/properties/interval/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err223];
}
else {
vErrors.push(err223);
}
errors++;
}
}
else {
const err224 = {instancePath:instancePath+"/uncertainty/interval",schemaPath:"#/properties/uncertainty/properties/interval/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err224];
}
else {
vErrors.push(err224);
}
errors++;
}
}
if(data71.strata_handling !== undefined){
let data78 = data71.strata_handling;
if(typeof data78 === "string"){
if(data78.length < 1){
const err225 = {instancePath:instancePath+"/uncertainty/strata_handling",schemaPath:"#/properties/uncertainty/properties/strata_handling/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err225];
}
else {
vErrors.push(err225);
}
errors++;
}
}
else {
const err226 = {instancePath:instancePath+"/uncertainty/strata_handling",schemaPath:"#/properties/uncertainty/properties/strata_handling/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err226];
}
else {
vErrors.push(err226);
}
errors++;
}
}
if(data71.multiplicity !== undefined){
let data79 = data71.multiplicity;
if(data79 && typeof data79 == "object" && !Array.isArray(data79)){
if(data79.method === undefined){
const err227 = {instancePath:instancePath+"/uncertainty/multiplicity",schemaPath:"#/properties/uncertainty/properties/multiplicity/required",keyword:"required",params:{missingProperty: "method"}};
if(vErrors === null){
vErrors = [err227];
}
else {
vErrors.push(err227);
}
errors++;
}
if(data79.alpha === undefined){
const err228 = {instancePath:instancePath+"/uncertainty/multiplicity",schemaPath:"#/properties/uncertainty/properties/multiplicity/required",keyword:"required",params:{missingProperty: "alpha"}};
if(vErrors === null){
vErrors = [err228];
}
else {
vErrors.push(err228);
}
errors++;
}
if(data79.registered_test_family === undefined){
const err229 = {instancePath:instancePath+"/uncertainty/multiplicity",schemaPath:"#/properties/uncertainty/properties/multiplicity/required",keyword:"required",params:{missingProperty: "registered_test_family"}};
if(vErrors === null){
vErrors = [err229];
}
else {
vErrors.push(err229);
}
errors++;
}
if(data79.failure_handling === undefined){
const err230 = {instancePath:instancePath+"/uncertainty/multiplicity",schemaPath:"#/properties/uncertainty/properties/multiplicity/required",keyword:"required",params:{missingProperty: "failure_handling"}};
if(vErrors === null){
vErrors = [err230];
}
else {
vErrors.push(err230);
}
errors++;
}
for(const key13 in data79){
if(!((((key13 === "method") || (key13 === "alpha")) || (key13 === "registered_test_family")) || (key13 === "failure_handling"))){
const err231 = {instancePath:instancePath+"/uncertainty/multiplicity",schemaPath:"#/properties/uncertainty/properties/multiplicity/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key13}};
if(vErrors === null){
vErrors = [err231];
}
else {
vErrors.push(err231);
}
errors++;
}
}
if(data79.method !== undefined){
if("Holm step-down" !== data79.method){
const err232 = {instancePath:instancePath+"/uncertainty/multiplicity/method",schemaPath:"#/properties/uncertainty/properties/multiplicity/properties/method/const",keyword:"const",params:{allowedValue: "Holm step-down"}};
if(vErrors === null){
vErrors = [err232];
}
else {
vErrors.push(err232);
}
errors++;
}
}
if(data79.alpha !== undefined){
let data81 = data79.alpha;
if((typeof data81 == "number") && (isFinite(data81))){
if(data81 > 0.05 || isNaN(data81)){
const err233 = {instancePath:instancePath+"/uncertainty/multiplicity/alpha",schemaPath:"#/properties/uncertainty/properties/multiplicity/properties/alpha/maximum",keyword:"maximum",params:{comparison: "<=", limit: 0.05}};
if(vErrors === null){
vErrors = [err233];
}
else {
vErrors.push(err233);
}
errors++;
}
if(data81 <= 0 || isNaN(data81)){
const err234 = {instancePath:instancePath+"/uncertainty/multiplicity/alpha",schemaPath:"#/properties/uncertainty/properties/multiplicity/properties/alpha/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0}};
if(vErrors === null){
vErrors = [err234];
}
else {
vErrors.push(err234);
}
errors++;
}
}
else {
const err235 = {instancePath:instancePath+"/uncertainty/multiplicity/alpha",schemaPath:"#/properties/uncertainty/properties/multiplicity/properties/alpha/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err235];
}
else {
vErrors.push(err235);
}
errors++;
}
}
if(data79.registered_test_family !== undefined){
let data82 = data79.registered_test_family;
if(typeof data82 === "string"){
if(data82.length < 1){
const err236 = {instancePath:instancePath+"/uncertainty/multiplicity/registered_test_family",schemaPath:"#/properties/uncertainty/properties/multiplicity/properties/registered_test_family/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err236];
}
else {
vErrors.push(err236);
}
errors++;
}
}
else {
const err237 = {instancePath:instancePath+"/uncertainty/multiplicity/registered_test_family",schemaPath:"#/properties/uncertainty/properties/multiplicity/properties/registered_test_family/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err237];
}
else {
vErrors.push(err237);
}
errors++;
}
}
if(data79.failure_handling !== undefined){
let data83 = data79.failure_handling;
if(typeof data83 === "string"){
if(data83.length < 1){
const err238 = {instancePath:instancePath+"/uncertainty/multiplicity/failure_handling",schemaPath:"#/properties/uncertainty/properties/multiplicity/properties/failure_handling/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err238];
}
else {
vErrors.push(err238);
}
errors++;
}
}
else {
const err239 = {instancePath:instancePath+"/uncertainty/multiplicity/failure_handling",schemaPath:"#/properties/uncertainty/properties/multiplicity/properties/failure_handling/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err239];
}
else {
vErrors.push(err239);
}
errors++;
}
}
}
else {
const err240 = {instancePath:instancePath+"/uncertainty/multiplicity",schemaPath:"#/properties/uncertainty/properties/multiplicity/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err240];
}
else {
vErrors.push(err240);
}
errors++;
}
}
if(data71.seed !== undefined){
let data84 = data71.seed;
if(!(((typeof data84 == "number") && (!(data84 % 1) && !isNaN(data84))) && (isFinite(data84)))){
const err241 = {instancePath:instancePath+"/uncertainty/seed",schemaPath:"#/properties/uncertainty/properties/seed/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err241];
}
else {
vErrors.push(err241);
}
errors++;
}
}
}
else {
const err242 = {instancePath:instancePath+"/uncertainty",schemaPath:"#/properties/uncertainty/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err242];
}
else {
vErrors.push(err242);
}
errors++;
}
}
if(data.immutability !== undefined){
let data85 = data.immutability;
if(data85 && typeof data85 == "object" && !Array.isArray(data85)){
if(data85.no_peeking === undefined){
const err243 = {instancePath:instancePath+"/immutability",schemaPath:"#/properties/immutability/required",keyword:"required",params:{missingProperty: "no_peeking"}};
if(vErrors === null){
vErrors = [err243];
}
else {
vErrors.push(err243);
}
errors++;
}
if(data85.changes === undefined){
const err244 = {instancePath:instancePath+"/immutability",schemaPath:"#/properties/immutability/required",keyword:"required",params:{missingProperty: "changes"}};
if(vErrors === null){
vErrors = [err244];
}
else {
vErrors.push(err244);
}
errors++;
}
if(data85.post_hoc_changes === undefined){
const err245 = {instancePath:instancePath+"/immutability",schemaPath:"#/properties/immutability/required",keyword:"required",params:{missingProperty: "post_hoc_changes"}};
if(vErrors === null){
vErrors = [err245];
}
else {
vErrors.push(err245);
}
errors++;
}
if(data85.score_inspection_during_protocol_design === undefined){
const err246 = {instancePath:instancePath+"/immutability",schemaPath:"#/properties/immutability/required",keyword:"required",params:{missingProperty: "score_inspection_during_protocol_design"}};
if(vErrors === null){
vErrors = [err246];
}
else {
vErrors.push(err246);
}
errors++;
}
for(const key14 in data85){
if(!((((key14 === "no_peeking") || (key14 === "changes")) || (key14 === "post_hoc_changes")) || (key14 === "score_inspection_during_protocol_design"))){
const err247 = {instancePath:instancePath+"/immutability",schemaPath:"#/properties/immutability/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key14}};
if(vErrors === null){
vErrors = [err247];
}
else {
vErrors.push(err247);
}
errors++;
}
}
if(data85.no_peeking !== undefined){
let data86 = data85.no_peeking;
if(typeof data86 === "string"){
if(data86.length < 1){
const err248 = {instancePath:instancePath+"/immutability/no_peeking",schemaPath:"#/properties/immutability/properties/no_peeking/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err248];
}
else {
vErrors.push(err248);
}
errors++;
}
}
else {
const err249 = {instancePath:instancePath+"/immutability/no_peeking",schemaPath:"#/properties/immutability/properties/no_peeking/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err249];
}
else {
vErrors.push(err249);
}
errors++;
}
}
if(data85.changes !== undefined){
let data87 = data85.changes;
if(typeof data87 === "string"){
if(data87.length < 1){
const err250 = {instancePath:instancePath+"/immutability/changes",schemaPath:"#/properties/immutability/properties/changes/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err250];
}
else {
vErrors.push(err250);
}
errors++;
}
}
else {
const err251 = {instancePath:instancePath+"/immutability/changes",schemaPath:"#/properties/immutability/properties/changes/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err251];
}
else {
vErrors.push(err251);
}
errors++;
}
}
if(data85.post_hoc_changes !== undefined){
if(false !== data85.post_hoc_changes){
const err252 = {instancePath:instancePath+"/immutability/post_hoc_changes",schemaPath:"#/properties/immutability/properties/post_hoc_changes/const",keyword:"const",params:{allowedValue: false}};
if(vErrors === null){
vErrors = [err252];
}
else {
vErrors.push(err252);
}
errors++;
}
}
if(data85.score_inspection_during_protocol_design !== undefined){
if(false !== data85.score_inspection_during_protocol_design){
const err253 = {instancePath:instancePath+"/immutability/score_inspection_during_protocol_design",schemaPath:"#/properties/immutability/properties/score_inspection_during_protocol_design/const",keyword:"const",params:{allowedValue: false}};
if(vErrors === null){
vErrors = [err253];
}
else {
vErrors.push(err253);
}
errors++;
}
}
}
else {
const err254 = {instancePath:instancePath+"/immutability",schemaPath:"#/properties/immutability/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err254];
}
else {
vErrors.push(err254);
}
errors++;
}
}
}
else {
const err255 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err255];
}
else {
vErrors.push(err255);
}
errors++;
}
validate53.errors = vErrors;
return errors === 0;
}
validate53.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};
