// Made from src/contract/schemas by .ci/generate.mjs: do not edit.
// @ts-nocheck
import { formats } from './formats.js'
export const validateResult = validate53;
const schema20 = {"title":"Result","description":"What one scoring run found, and from what. Losses and differences are log returns, shares lie between 0 and 1, and null stands where there is nothing to say.","type":"object","required":["result_version","result_sha256","code","mode","exploratory","earlier_readings","inputs","settings","models","strata","accounting","outside_grid","measures","shared_keys","family","tests","controls","dispositions"],"properties":{"result_version":{"const":1},"result_sha256":{"type":"string","pattern":"^[0-9a-f]{64}$","description":"Of the RFC 8785 form of this document without this member."},"code":{"type":"object","required":["name","version","sha256"],"properties":{"name":{"type":"string","minLength":1},"version":{"type":"string","minLength":1},"sha256":{"type":"string","pattern":"^[0-9a-f]{64}$"}},"additionalProperties":false,"description":"The package that made this, with a digest of its code that is alike on every machine."},"mode":{"enum":["prospective","retrospective"]},"exploratory":{"type":"boolean","description":"True when outcomes had been read under this registration before."},"earlier_readings":{"type":"integer","minimum":0},"inputs":{"type":"object","required":["protocol","registration","history","vintage","pairs"],"properties":{"protocol":{"type":"object","required":["version","sha256","ledger_entry_sha256"],"properties":{"version":{"type":"string","minLength":1},"sha256":{"type":"string","pattern":"^[0-9a-f]{64}$"},"ledger_entry_sha256":{"anyOf":[{"type":"string","pattern":"^[0-9a-f]{64}$"},{"type":"null"}],"description":"The ledger line that froze it, or null."}},"additionalProperties":false},"registration":{"type":"object","required":["name","sha256","registered_at","family_sha256","ledger_entry_sha256"],"properties":{"name":{"type":"string","minLength":1},"sha256":{"type":"string","pattern":"^[0-9a-f]{64}$"},"registered_at":{"$ref":"#/$defs/Timestamp"},"family_sha256":{"type":"string","pattern":"^[0-9a-f]{64}$"},"ledger_entry_sha256":{"anyOf":[{"type":"string","pattern":"^[0-9a-f]{64}$"},{"type":"null"}],"description":"The ledger line that entered it, or null."}},"additionalProperties":false},"history":{"type":"object","required":["sha256","rows"],"properties":{"sha256":{"type":"string","pattern":"^[0-9a-f]{64}$"},"rows":{"type":"integer","minimum":0}},"additionalProperties":false,"description":"Digest of the rows read for the window, in canonical form and reading order; not of the file."},"vintage":{"type":"object","required":["id","sha256","source","first","last","closes"],"properties":{"id":{"type":"string","minLength":1},"sha256":{"type":"string","pattern":"^[0-9a-f]{64}$"},"source":{"type":"string","minLength":1},"first":{"$ref":"#/$defs/Timestamp"},"last":{"$ref":"#/$defs/Timestamp"},"closes":{"type":"integer","minimum":0}},"additionalProperties":false},"pairs":{"type":"object","required":["sha256","rows"],"properties":{"sha256":{"type":"string","pattern":"^[0-9a-f]{64}$"},"rows":{"type":"integer","minimum":0}},"additionalProperties":false}},"additionalProperties":false},"settings":{"type":"object","required":["horizons_hours","from","to","as_of","origins","block_length_origins","blocks_in_window","replicates","seed","alpha","minimum_pairs","minimum_blocks","practical_effect_floor","regression_limit","direction_limit","direction_epsilon","interval_level","provenance_required"],"properties":{"horizons_hours":{"type":"array","items":{"type":"integer","minimum":1}},"from":{"$ref":"#/$defs/Timestamp"},"to":{"$ref":"#/$defs/Timestamp"},"as_of":{"$ref":"#/$defs/Timestamp"},"origins":{"type":"integer","minimum":0,"description":"Hourly origins from the first to the last of the window, both included."},"block_length_origins":{"type":"integer","minimum":1},"blocks_in_window":{"type":"integer","minimum":0,"description":"Whole blocks that fit into the window without overlap."},"replicates":{"type":"integer","minimum":1},"seed":{"type":"integer"},"alpha":{"type":"number","exclusiveMinimum":0,"maximum":0.05},"minimum_pairs":{"type":"integer","minimum":1},"minimum_blocks":{"type":"integer","minimum":1},"practical_effect_floor":{"type":"number","minimum":0},"regression_limit":{"type":"number","minimum":0},"direction_limit":{"type":"number","minimum":0},"direction_epsilon":{"type":"number","minimum":0},"interval_level":{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1},"provenance_required":{"type":"boolean"}},"additionalProperties":false},"models":{"type":"array","items":{"type":"object","required":["name","role","source","required_as"],"properties":{"name":{"type":"string","minLength":1},"role":{"enum":["candidate","comparator"]},"source":{"enum":["history","built_in"]},"required_as":{"type":"array","items":{"type":"string","minLength":1}}},"additionalProperties":false}},"strata":{"type":"array","items":{"type":"object","required":["name","levels"],"properties":{"name":{"type":"string","minLength":1},"levels":{"type":"array","items":{"type":"object","required":["level","origins"],"properties":{"level":{"type":"string","minLength":1},"origins":{"type":"integer","minimum":0}},"additionalProperties":false}}},"additionalProperties":false}},"accounting":{"type":"array","items":{"type":"object","required":["model","horizon","stratum","expected","point","interval","reasons"],"properties":{"model":{"type":"string","minLength":1},"horizon":{"anyOf":[{"type":"integer","minimum":1},{"const":"all"}]},"stratum":{"anyOf":[{"const":"all"},{"type":"object","required":["name","level"],"properties":{"name":{"type":"string","minLength":1},"level":{"type":"string","minLength":1}},"additionalProperties":false}],"description":"Every origin, or one level of one stratum."},"expected":{"type":"integer","minimum":0},"point":{"type":"object","required":["scored","failed","abstained","missing","ineligible"],"properties":{"scored":{"type":"integer","minimum":0},"failed":{"type":"integer","minimum":0},"abstained":{"type":"integer","minimum":0},"missing":{"type":"integer","minimum":0},"ineligible":{"type":"integer","minimum":0}},"additionalProperties":false,"description":"The five counts add up to `expected`."},"interval":{"type":"object","required":["scored","failed","abstained","missing","ineligible"],"properties":{"scored":{"type":"integer","minimum":0},"failed":{"type":"integer","minimum":0},"abstained":{"type":"integer","minimum":0},"missing":{"type":"integer","minimum":0},"ineligible":{"type":"integer","minimum":0}},"additionalProperties":false},"reasons":{"type":"object","additionalProperties":{"type":"integer","minimum":0},"description":"Attempts that were not scored, by reason."}},"additionalProperties":false}},"outside_grid":{"type":"object","additionalProperties":{"type":"integer","minimum":0},"description":"Rows that no attempt expected, by reason."},"measures":{"type":"array","items":{"type":"object","required":["model","horizon","stratum","pairs","point_loss","point_loss_bounds","absolute_percent_error","log_return_bias","percent_bias","direction","interval"],"properties":{"model":{"type":"string","minLength":1},"horizon":{"anyOf":[{"type":"integer","minimum":1},{"const":"overall"}],"description":"Hours, or the unweighted mean of the horizons."},"stratum":{"anyOf":[{"const":"all"},{"type":"object","required":["name","level"],"properties":{"name":{"type":"string","minLength":1},"level":{"type":"string","minLength":1}},"additionalProperties":false}],"description":"Every origin, or one level of one stratum."},"pairs":{"type":"integer","minimum":0},"point_loss":{"type":["number","null"],"description":"Mean absolute log-return error."},"point_loss_bounds":{"anyOf":[{"type":"object","required":["lower","upper"],"properties":{"lower":{"type":"number"},"upper":{"type":"number"}},"additionalProperties":false},{"type":"null"}],"description":"Bootstrap percentiles at 1 - alpha; given over all origins only."},"absolute_percent_error":{"type":["number","null"]},"log_return_bias":{"type":["number","null"]},"percent_bias":{"type":["number","null"]},"direction":{"type":"object","required":["eligible","accuracy","error_rate"],"properties":{"eligible":{"type":"integer","minimum":0},"accuracy":{"type":["number","null"]},"error_rate":{"type":["number","null"]}},"additionalProperties":false},"interval":{"type":"object","required":["pairs","score","pinball","coverage","coverage_bounds","coverage_difference","width","width_percent"],"properties":{"pairs":{"type":"integer","minimum":0},"score":{"type":["number","null"]},"pinball":{"type":"object","required":["0.1","0.5","0.9"],"properties":{"0.1":{"type":["number","null"]},"0.5":{"type":["number","null"]},"0.9":{"type":["number","null"]}},"additionalProperties":false},"coverage":{"type":["number","null"]},"coverage_bounds":{"anyOf":[{"type":"object","required":["lower","upper"],"properties":{"lower":{"type":"number"},"upper":{"type":"number"}},"additionalProperties":false},{"type":"null"}]},"coverage_difference":{"type":["number","null"],"description":"Coverage minus the nominal level."},"width":{"type":["number","null"],"description":"Mean of upper minus lower bound, in log returns."},"width_percent":{"type":["number","null"],"description":"Mean width in per cent of the price at the origin."}},"additionalProperties":false}},"additionalProperties":false}},"shared_keys":{"type":"array","items":{"type":"object","required":["candidate","comparator","horizon","stratum","expected","shared","lost"],"properties":{"candidate":{"type":"string","minLength":1},"comparator":{"type":"string","minLength":1},"horizon":{"type":"integer","minimum":1},"stratum":{"anyOf":[{"const":"all"},{"type":"object","required":["name","level"],"properties":{"name":{"type":"string","minLength":1},"level":{"type":"string","minLength":1}},"additionalProperties":false}],"description":"Every origin, or one level of one stratum."},"expected":{"type":"integer","minimum":0},"shared":{"type":"integer","minimum":0},"lost":{"type":"object","required":["candidate_not_scored","comparator_not_scored","neither_scored","vintage_mismatch"],"properties":{"candidate_not_scored":{"type":"integer","minimum":0},"comparator_not_scored":{"type":"integer","minimum":0},"neither_scored":{"type":"integer","minimum":0},"vintage_mismatch":{"type":"integer","minimum":0}},"additionalProperties":false}},"additionalProperties":false}},"family":{"type":"object","required":["size","sha256","rejected","blocked"],"properties":{"size":{"type":"integer","minimum":0},"sha256":{"type":"string","pattern":"^[0-9a-f]{64}$"},"rejected":{"type":"integer","minimum":0},"blocked":{"type":"integer","minimum":0}},"additionalProperties":false},"tests":{"type":"array","items":{"type":"object","required":["name","candidate","comparator","measure","horizon","stratum","decides","pairs","effective_blocks","observed","comparator_mean","bounds","standard_error","p","rank","multiplier","p_adjusted","bounds_adjusted","decision","blocked_reasons"],"properties":{"name":{"type":"string","minLength":1},"candidate":{"type":"string","minLength":1},"comparator":{"type":"string","minLength":1},"measure":{"enum":["point_loss","direction_error","interval_score","pinball_0.1","pinball_0.5","pinball_0.9","coverage"]},"horizon":{"anyOf":[{"type":"integer","minimum":1},{"const":"overall"}],"description":"Hours, or the unweighted mean of the horizons."},"stratum":{"anyOf":[{"const":"all"},{"type":"object","required":["name","level"],"properties":{"name":{"type":"string","minLength":1},"level":{"type":"string","minLength":1}},"additionalProperties":false}],"description":"Every origin, or one level of one stratum."},"decides":{"type":"boolean","description":"True for the tests on which the disposition is decided."},"pairs":{"type":"integer","minimum":0},"effective_blocks":{"type":"integer","minimum":0},"observed":{"type":["number","null"],"description":"Mean of candidate minus comparator over the shared keys."},"comparator_mean":{"type":["number","null"],"description":"The mean of the comparator over the same keys."},"bounds":{"anyOf":[{"type":"object","required":["lower","upper"],"properties":{"lower":{"type":"number"},"upper":{"type":"number"}},"additionalProperties":false},{"type":"null"}],"description":"Bootstrap percentiles at 1 - alpha."},"standard_error":{"type":["number","null"],"description":"Standard deviation of the replicates."},"p":{"type":["number","null"]},"rank":{"anyOf":[{"type":"integer","minimum":1},{"type":"null"}],"description":"Tests with equal p share a rank, and so a multiplier."},"multiplier":{"anyOf":[{"type":"integer","minimum":1},{"type":"null"}]},"p_adjusted":{"type":["number","null"]},"bounds_adjusted":{"anyOf":[{"type":"object","required":["lower","upper"],"properties":{"lower":{"type":"number"},"upper":{"type":"number"}},"additionalProperties":false},{"type":"null"}],"description":"Bootstrap percentiles at the level of the rung of this test."},"decision":{"enum":["rejected","not_rejected","blocked"]},"blocked_reasons":{"type":"array","items":{"type":"string","minLength":1}}},"additionalProperties":false}},"controls":{"type":"array","items":{"type":"object","required":["name","kind","expected","least","greatest","passed"],"properties":{"name":{"type":"string","minLength":1},"kind":{"enum":["copy","shift"]},"expected":{"type":"number","description":"What every replicate must equal."},"least":{"type":["number","null"]},"greatest":{"type":["number","null"]},"passed":{"type":"boolean"}},"additionalProperties":false}},"dispositions":{"type":"array","items":{"type":"object","required":["candidate","disposition","reasons"],"properties":{"candidate":{"type":"string","minLength":1},"disposition":{"enum":["blocked","eligible_for_human_review","negative","inconclusive"]},"reasons":{"type":"array","items":{"type":"object","required":["code","leads_to","comparator","horizon","measure","test","found","limit","details"],"properties":{"code":{"enum":["evidence_chain_broken","control_failed","comparison_missing","failure_rate_above_comparator","deciding_test_blocked","significantly_worse","regression_limit_exceeded","direction_limit_exceeded","practical_floor_not_reached","not_significant","regression_not_excluded","direction_loss_not_excluded","direction_not_comparable","retrospective","improvement_established"]},"leads_to":{"enum":["blocked","eligible_for_human_review","negative","inconclusive"]},"comparator":{"anyOf":[{"type":"string","minLength":1},{"type":"null"}]},"horizon":{"anyOf":[{"anyOf":[{"type":"integer","minimum":1},{"const":"overall"}],"description":"Hours, or the unweighted mean of the horizons."},{"type":"null"}]},"measure":{"anyOf":[{"enum":["point_loss","direction_error"]},{"type":"null"}]},"test":{"anyOf":[{"type":"string","minLength":1},{"type":"null"}]},"found":{"type":["number","null"],"description":"Differences of point losses as a share of the mean of the comparator."},"limit":{"type":["number","null"]},"details":{"type":"array","items":{"type":"string","minLength":1}}},"additionalProperties":false}}},"additionalProperties":false}}},"additionalProperties":false};
const func1 = Object.prototype.hasOwnProperty;
const pattern3 = new RegExp("^[0-9a-f]{64}$", "u");
const schema21 = {"title":"Timestamp","description":"An RFC 3339 timestamp with an offset from UTC, to the microsecond at most.","type":"string","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$"};
const formats0 = { validate: formats["date-time"] };
const pattern8 = new RegExp("^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$", "u");

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
if(!pattern8.test(data)){
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
if(data.result_version === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "result_version"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.result_sha256 === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "result_sha256"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.code === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "code"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.mode === undefined){
const err3 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "mode"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data.exploratory === undefined){
const err4 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "exploratory"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.earlier_readings === undefined){
const err5 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "earlier_readings"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data.inputs === undefined){
const err6 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "inputs"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data.settings === undefined){
const err7 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "settings"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data.models === undefined){
const err8 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "models"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data.strata === undefined){
const err9 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "strata"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(data.accounting === undefined){
const err10 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "accounting"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(data.outside_grid === undefined){
const err11 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "outside_grid"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(data.measures === undefined){
const err12 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "measures"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(data.shared_keys === undefined){
const err13 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "shared_keys"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(data.family === undefined){
const err14 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "family"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(data.tests === undefined){
const err15 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "tests"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(data.controls === undefined){
const err16 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "controls"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(data.dispositions === undefined){
const err17 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "dispositions"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
for(const key0 in data){
if(!(func1.call(schema20.properties, key0))){
const err18 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.result_version !== undefined){
if(1 !== data.result_version){
const err19 = {instancePath:instancePath+"/result_version",schemaPath:"#/properties/result_version/const",keyword:"const",params:{allowedValue: 1}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.result_sha256 !== undefined){
let data1 = data.result_sha256;
if(typeof data1 === "string"){
if(!pattern3.test(data1)){
const err20 = {instancePath:instancePath+"/result_sha256",schemaPath:"#/properties/result_sha256/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
else {
const err21 = {instancePath:instancePath+"/result_sha256",schemaPath:"#/properties/result_sha256/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
if(data.code !== undefined){
let data2 = data.code;
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if(data2.name === undefined){
const err22 = {instancePath:instancePath+"/code",schemaPath:"#/properties/code/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
if(data2.version === undefined){
const err23 = {instancePath:instancePath+"/code",schemaPath:"#/properties/code/required",keyword:"required",params:{missingProperty: "version"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
if(data2.sha256 === undefined){
const err24 = {instancePath:instancePath+"/code",schemaPath:"#/properties/code/required",keyword:"required",params:{missingProperty: "sha256"}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
for(const key1 in data2){
if(!(((key1 === "name") || (key1 === "version")) || (key1 === "sha256"))){
const err25 = {instancePath:instancePath+"/code",schemaPath:"#/properties/code/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data2.name !== undefined){
let data3 = data2.name;
if(typeof data3 === "string"){
if(data3.length < 1){
const err26 = {instancePath:instancePath+"/code/name",schemaPath:"#/properties/code/properties/name/minLength",keyword:"minLength",params:{limit: 1}};
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
const err27 = {instancePath:instancePath+"/code/name",schemaPath:"#/properties/code/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data2.version !== undefined){
let data4 = data2.version;
if(typeof data4 === "string"){
if(data4.length < 1){
const err28 = {instancePath:instancePath+"/code/version",schemaPath:"#/properties/code/properties/version/minLength",keyword:"minLength",params:{limit: 1}};
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
const err29 = {instancePath:instancePath+"/code/version",schemaPath:"#/properties/code/properties/version/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
if(data2.sha256 !== undefined){
let data5 = data2.sha256;
if(typeof data5 === "string"){
if(!pattern3.test(data5)){
const err30 = {instancePath:instancePath+"/code/sha256",schemaPath:"#/properties/code/properties/sha256/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
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
const err31 = {instancePath:instancePath+"/code/sha256",schemaPath:"#/properties/code/properties/sha256/type",keyword:"type",params:{type: "string"}};
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
const err32 = {instancePath:instancePath+"/code",schemaPath:"#/properties/code/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
if(data.mode !== undefined){
let data6 = data.mode;
if(!((data6 === "prospective") || (data6 === "retrospective"))){
const err33 = {instancePath:instancePath+"/mode",schemaPath:"#/properties/mode/enum",keyword:"enum",params:{allowedValues: schema20.properties.mode.enum}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
if(data.exploratory !== undefined){
if(typeof data.exploratory !== "boolean"){
const err34 = {instancePath:instancePath+"/exploratory",schemaPath:"#/properties/exploratory/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
if(data.earlier_readings !== undefined){
let data8 = data.earlier_readings;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
const err35 = {instancePath:instancePath+"/earlier_readings",schemaPath:"#/properties/earlier_readings/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 < 0 || isNaN(data8)){
const err36 = {instancePath:instancePath+"/earlier_readings",schemaPath:"#/properties/earlier_readings/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
}
if(data.inputs !== undefined){
let data9 = data.inputs;
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
if(data9.protocol === undefined){
const err37 = {instancePath:instancePath+"/inputs",schemaPath:"#/properties/inputs/required",keyword:"required",params:{missingProperty: "protocol"}};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
if(data9.registration === undefined){
const err38 = {instancePath:instancePath+"/inputs",schemaPath:"#/properties/inputs/required",keyword:"required",params:{missingProperty: "registration"}};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
if(data9.history === undefined){
const err39 = {instancePath:instancePath+"/inputs",schemaPath:"#/properties/inputs/required",keyword:"required",params:{missingProperty: "history"}};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
if(data9.vintage === undefined){
const err40 = {instancePath:instancePath+"/inputs",schemaPath:"#/properties/inputs/required",keyword:"required",params:{missingProperty: "vintage"}};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
if(data9.pairs === undefined){
const err41 = {instancePath:instancePath+"/inputs",schemaPath:"#/properties/inputs/required",keyword:"required",params:{missingProperty: "pairs"}};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
for(const key2 in data9){
if(!(((((key2 === "protocol") || (key2 === "registration")) || (key2 === "history")) || (key2 === "vintage")) || (key2 === "pairs"))){
const err42 = {instancePath:instancePath+"/inputs",schemaPath:"#/properties/inputs/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
if(data9.protocol !== undefined){
let data10 = data9.protocol;
if(data10 && typeof data10 == "object" && !Array.isArray(data10)){
if(data10.version === undefined){
const err43 = {instancePath:instancePath+"/inputs/protocol",schemaPath:"#/properties/inputs/properties/protocol/required",keyword:"required",params:{missingProperty: "version"}};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
if(data10.sha256 === undefined){
const err44 = {instancePath:instancePath+"/inputs/protocol",schemaPath:"#/properties/inputs/properties/protocol/required",keyword:"required",params:{missingProperty: "sha256"}};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
if(data10.ledger_entry_sha256 === undefined){
const err45 = {instancePath:instancePath+"/inputs/protocol",schemaPath:"#/properties/inputs/properties/protocol/required",keyword:"required",params:{missingProperty: "ledger_entry_sha256"}};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
for(const key3 in data10){
if(!(((key3 === "version") || (key3 === "sha256")) || (key3 === "ledger_entry_sha256"))){
const err46 = {instancePath:instancePath+"/inputs/protocol",schemaPath:"#/properties/inputs/properties/protocol/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3}};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
if(data10.version !== undefined){
let data11 = data10.version;
if(typeof data11 === "string"){
if(data11.length < 1){
const err47 = {instancePath:instancePath+"/inputs/protocol/version",schemaPath:"#/properties/inputs/properties/protocol/properties/version/minLength",keyword:"minLength",params:{limit: 1}};
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
const err48 = {instancePath:instancePath+"/inputs/protocol/version",schemaPath:"#/properties/inputs/properties/protocol/properties/version/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
if(data10.sha256 !== undefined){
let data12 = data10.sha256;
if(typeof data12 === "string"){
if(!pattern3.test(data12)){
const err49 = {instancePath:instancePath+"/inputs/protocol/sha256",schemaPath:"#/properties/inputs/properties/protocol/properties/sha256/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
else {
const err50 = {instancePath:instancePath+"/inputs/protocol/sha256",schemaPath:"#/properties/inputs/properties/protocol/properties/sha256/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
if(data10.ledger_entry_sha256 !== undefined){
let data13 = data10.ledger_entry_sha256;
const _errs30 = errors;
let valid4 = false;
const _errs31 = errors;
if(typeof data13 === "string"){
if(!pattern3.test(data13)){
const err51 = {instancePath:instancePath+"/inputs/protocol/ledger_entry_sha256",schemaPath:"#/properties/inputs/properties/protocol/properties/ledger_entry_sha256/anyOf/0/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
else {
const err52 = {instancePath:instancePath+"/inputs/protocol/ledger_entry_sha256",schemaPath:"#/properties/inputs/properties/protocol/properties/ledger_entry_sha256/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
var _valid0 = _errs31 === errors;
valid4 = valid4 || _valid0;
const _errs33 = errors;
if(data13 !== null){
const err53 = {instancePath:instancePath+"/inputs/protocol/ledger_entry_sha256",schemaPath:"#/properties/inputs/properties/protocol/properties/ledger_entry_sha256/anyOf/1/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
var _valid0 = _errs33 === errors;
valid4 = valid4 || _valid0;
if(!valid4){
const err54 = {instancePath:instancePath+"/inputs/protocol/ledger_entry_sha256",schemaPath:"#/properties/inputs/properties/protocol/properties/ledger_entry_sha256/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
else {
errors = _errs30;
if(vErrors !== null){
if(_errs30){
vErrors.length = _errs30;
}
else {
vErrors = null;
}
}
}
}
}
else {
const err55 = {instancePath:instancePath+"/inputs/protocol",schemaPath:"#/properties/inputs/properties/protocol/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
}
if(data9.registration !== undefined){
let data14 = data9.registration;
if(data14 && typeof data14 == "object" && !Array.isArray(data14)){
if(data14.name === undefined){
const err56 = {instancePath:instancePath+"/inputs/registration",schemaPath:"#/properties/inputs/properties/registration/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
if(data14.sha256 === undefined){
const err57 = {instancePath:instancePath+"/inputs/registration",schemaPath:"#/properties/inputs/properties/registration/required",keyword:"required",params:{missingProperty: "sha256"}};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
if(data14.registered_at === undefined){
const err58 = {instancePath:instancePath+"/inputs/registration",schemaPath:"#/properties/inputs/properties/registration/required",keyword:"required",params:{missingProperty: "registered_at"}};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
if(data14.family_sha256 === undefined){
const err59 = {instancePath:instancePath+"/inputs/registration",schemaPath:"#/properties/inputs/properties/registration/required",keyword:"required",params:{missingProperty: "family_sha256"}};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
if(data14.ledger_entry_sha256 === undefined){
const err60 = {instancePath:instancePath+"/inputs/registration",schemaPath:"#/properties/inputs/properties/registration/required",keyword:"required",params:{missingProperty: "ledger_entry_sha256"}};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
for(const key4 in data14){
if(!(((((key4 === "name") || (key4 === "sha256")) || (key4 === "registered_at")) || (key4 === "family_sha256")) || (key4 === "ledger_entry_sha256"))){
const err61 = {instancePath:instancePath+"/inputs/registration",schemaPath:"#/properties/inputs/properties/registration/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4}};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
}
if(data14.name !== undefined){
let data15 = data14.name;
if(typeof data15 === "string"){
if(data15.length < 1){
const err62 = {instancePath:instancePath+"/inputs/registration/name",schemaPath:"#/properties/inputs/properties/registration/properties/name/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
}
else {
const err63 = {instancePath:instancePath+"/inputs/registration/name",schemaPath:"#/properties/inputs/properties/registration/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
}
if(data14.sha256 !== undefined){
let data16 = data14.sha256;
if(typeof data16 === "string"){
if(!pattern3.test(data16)){
const err64 = {instancePath:instancePath+"/inputs/registration/sha256",schemaPath:"#/properties/inputs/properties/registration/properties/sha256/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
}
else {
const err65 = {instancePath:instancePath+"/inputs/registration/sha256",schemaPath:"#/properties/inputs/properties/registration/properties/sha256/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
}
if(data14.registered_at !== undefined){
if(!(validate54(data14.registered_at, {instancePath:instancePath+"/inputs/registration/registered_at",parentData:data14,parentDataProperty:"registered_at",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
if(data14.family_sha256 !== undefined){
let data18 = data14.family_sha256;
if(typeof data18 === "string"){
if(!pattern3.test(data18)){
const err66 = {instancePath:instancePath+"/inputs/registration/family_sha256",schemaPath:"#/properties/inputs/properties/registration/properties/family_sha256/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
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
const err67 = {instancePath:instancePath+"/inputs/registration/family_sha256",schemaPath:"#/properties/inputs/properties/registration/properties/family_sha256/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
}
if(data14.ledger_entry_sha256 !== undefined){
let data19 = data14.ledger_entry_sha256;
const _errs46 = errors;
let valid6 = false;
const _errs47 = errors;
if(typeof data19 === "string"){
if(!pattern3.test(data19)){
const err68 = {instancePath:instancePath+"/inputs/registration/ledger_entry_sha256",schemaPath:"#/properties/inputs/properties/registration/properties/ledger_entry_sha256/anyOf/0/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
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
const err69 = {instancePath:instancePath+"/inputs/registration/ledger_entry_sha256",schemaPath:"#/properties/inputs/properties/registration/properties/ledger_entry_sha256/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
var _valid1 = _errs47 === errors;
valid6 = valid6 || _valid1;
const _errs49 = errors;
if(data19 !== null){
const err70 = {instancePath:instancePath+"/inputs/registration/ledger_entry_sha256",schemaPath:"#/properties/inputs/properties/registration/properties/ledger_entry_sha256/anyOf/1/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
var _valid1 = _errs49 === errors;
valid6 = valid6 || _valid1;
if(!valid6){
const err71 = {instancePath:instancePath+"/inputs/registration/ledger_entry_sha256",schemaPath:"#/properties/inputs/properties/registration/properties/ledger_entry_sha256/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
else {
errors = _errs46;
if(vErrors !== null){
if(_errs46){
vErrors.length = _errs46;
}
else {
vErrors = null;
}
}
}
}
}
else {
const err72 = {instancePath:instancePath+"/inputs/registration",schemaPath:"#/properties/inputs/properties/registration/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
}
if(data9.history !== undefined){
let data20 = data9.history;
if(data20 && typeof data20 == "object" && !Array.isArray(data20)){
if(data20.sha256 === undefined){
const err73 = {instancePath:instancePath+"/inputs/history",schemaPath:"#/properties/inputs/properties/history/required",keyword:"required",params:{missingProperty: "sha256"}};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
if(data20.rows === undefined){
const err74 = {instancePath:instancePath+"/inputs/history",schemaPath:"#/properties/inputs/properties/history/required",keyword:"required",params:{missingProperty: "rows"}};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
for(const key5 in data20){
if(!((key5 === "sha256") || (key5 === "rows"))){
const err75 = {instancePath:instancePath+"/inputs/history",schemaPath:"#/properties/inputs/properties/history/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5}};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
}
if(data20.sha256 !== undefined){
let data21 = data20.sha256;
if(typeof data21 === "string"){
if(!pattern3.test(data21)){
const err76 = {instancePath:instancePath+"/inputs/history/sha256",schemaPath:"#/properties/inputs/properties/history/properties/sha256/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
}
else {
const err77 = {instancePath:instancePath+"/inputs/history/sha256",schemaPath:"#/properties/inputs/properties/history/properties/sha256/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
}
if(data20.rows !== undefined){
let data22 = data20.rows;
if(!(((typeof data22 == "number") && (!(data22 % 1) && !isNaN(data22))) && (isFinite(data22)))){
const err78 = {instancePath:instancePath+"/inputs/history/rows",schemaPath:"#/properties/inputs/properties/history/properties/rows/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
}
if((typeof data22 == "number") && (isFinite(data22))){
if(data22 < 0 || isNaN(data22)){
const err79 = {instancePath:instancePath+"/inputs/history/rows",schemaPath:"#/properties/inputs/properties/history/properties/rows/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
}
}
}
}
else {
const err80 = {instancePath:instancePath+"/inputs/history",schemaPath:"#/properties/inputs/properties/history/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
}
}
if(data9.vintage !== undefined){
let data23 = data9.vintage;
if(data23 && typeof data23 == "object" && !Array.isArray(data23)){
if(data23.id === undefined){
const err81 = {instancePath:instancePath+"/inputs/vintage",schemaPath:"#/properties/inputs/properties/vintage/required",keyword:"required",params:{missingProperty: "id"}};
if(vErrors === null){
vErrors = [err81];
}
else {
vErrors.push(err81);
}
errors++;
}
if(data23.sha256 === undefined){
const err82 = {instancePath:instancePath+"/inputs/vintage",schemaPath:"#/properties/inputs/properties/vintage/required",keyword:"required",params:{missingProperty: "sha256"}};
if(vErrors === null){
vErrors = [err82];
}
else {
vErrors.push(err82);
}
errors++;
}
if(data23.source === undefined){
const err83 = {instancePath:instancePath+"/inputs/vintage",schemaPath:"#/properties/inputs/properties/vintage/required",keyword:"required",params:{missingProperty: "source"}};
if(vErrors === null){
vErrors = [err83];
}
else {
vErrors.push(err83);
}
errors++;
}
if(data23.first === undefined){
const err84 = {instancePath:instancePath+"/inputs/vintage",schemaPath:"#/properties/inputs/properties/vintage/required",keyword:"required",params:{missingProperty: "first"}};
if(vErrors === null){
vErrors = [err84];
}
else {
vErrors.push(err84);
}
errors++;
}
if(data23.last === undefined){
const err85 = {instancePath:instancePath+"/inputs/vintage",schemaPath:"#/properties/inputs/properties/vintage/required",keyword:"required",params:{missingProperty: "last"}};
if(vErrors === null){
vErrors = [err85];
}
else {
vErrors.push(err85);
}
errors++;
}
if(data23.closes === undefined){
const err86 = {instancePath:instancePath+"/inputs/vintage",schemaPath:"#/properties/inputs/properties/vintage/required",keyword:"required",params:{missingProperty: "closes"}};
if(vErrors === null){
vErrors = [err86];
}
else {
vErrors.push(err86);
}
errors++;
}
for(const key6 in data23){
if(!((((((key6 === "id") || (key6 === "sha256")) || (key6 === "source")) || (key6 === "first")) || (key6 === "last")) || (key6 === "closes"))){
const err87 = {instancePath:instancePath+"/inputs/vintage",schemaPath:"#/properties/inputs/properties/vintage/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key6}};
if(vErrors === null){
vErrors = [err87];
}
else {
vErrors.push(err87);
}
errors++;
}
}
if(data23.id !== undefined){
let data24 = data23.id;
if(typeof data24 === "string"){
if(data24.length < 1){
const err88 = {instancePath:instancePath+"/inputs/vintage/id",schemaPath:"#/properties/inputs/properties/vintage/properties/id/minLength",keyword:"minLength",params:{limit: 1}};
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
const err89 = {instancePath:instancePath+"/inputs/vintage/id",schemaPath:"#/properties/inputs/properties/vintage/properties/id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err89];
}
else {
vErrors.push(err89);
}
errors++;
}
}
if(data23.sha256 !== undefined){
let data25 = data23.sha256;
if(typeof data25 === "string"){
if(!pattern3.test(data25)){
const err90 = {instancePath:instancePath+"/inputs/vintage/sha256",schemaPath:"#/properties/inputs/properties/vintage/properties/sha256/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err90];
}
else {
vErrors.push(err90);
}
errors++;
}
}
else {
const err91 = {instancePath:instancePath+"/inputs/vintage/sha256",schemaPath:"#/properties/inputs/properties/vintage/properties/sha256/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err91];
}
else {
vErrors.push(err91);
}
errors++;
}
}
if(data23.source !== undefined){
let data26 = data23.source;
if(typeof data26 === "string"){
if(data26.length < 1){
const err92 = {instancePath:instancePath+"/inputs/vintage/source",schemaPath:"#/properties/inputs/properties/vintage/properties/source/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err92];
}
else {
vErrors.push(err92);
}
errors++;
}
}
else {
const err93 = {instancePath:instancePath+"/inputs/vintage/source",schemaPath:"#/properties/inputs/properties/vintage/properties/source/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err93];
}
else {
vErrors.push(err93);
}
errors++;
}
}
if(data23.first !== undefined){
if(!(validate54(data23.first, {instancePath:instancePath+"/inputs/vintage/first",parentData:data23,parentDataProperty:"first",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
if(data23.last !== undefined){
if(!(validate54(data23.last, {instancePath:instancePath+"/inputs/vintage/last",parentData:data23,parentDataProperty:"last",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
if(data23.closes !== undefined){
let data29 = data23.closes;
if(!(((typeof data29 == "number") && (!(data29 % 1) && !isNaN(data29))) && (isFinite(data29)))){
const err94 = {instancePath:instancePath+"/inputs/vintage/closes",schemaPath:"#/properties/inputs/properties/vintage/properties/closes/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err94];
}
else {
vErrors.push(err94);
}
errors++;
}
if((typeof data29 == "number") && (isFinite(data29))){
if(data29 < 0 || isNaN(data29)){
const err95 = {instancePath:instancePath+"/inputs/vintage/closes",schemaPath:"#/properties/inputs/properties/vintage/properties/closes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
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
}
else {
const err96 = {instancePath:instancePath+"/inputs/vintage",schemaPath:"#/properties/inputs/properties/vintage/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err96];
}
else {
vErrors.push(err96);
}
errors++;
}
}
if(data9.pairs !== undefined){
let data30 = data9.pairs;
if(data30 && typeof data30 == "object" && !Array.isArray(data30)){
if(data30.sha256 === undefined){
const err97 = {instancePath:instancePath+"/inputs/pairs",schemaPath:"#/properties/inputs/properties/pairs/required",keyword:"required",params:{missingProperty: "sha256"}};
if(vErrors === null){
vErrors = [err97];
}
else {
vErrors.push(err97);
}
errors++;
}
if(data30.rows === undefined){
const err98 = {instancePath:instancePath+"/inputs/pairs",schemaPath:"#/properties/inputs/properties/pairs/required",keyword:"required",params:{missingProperty: "rows"}};
if(vErrors === null){
vErrors = [err98];
}
else {
vErrors.push(err98);
}
errors++;
}
for(const key7 in data30){
if(!((key7 === "sha256") || (key7 === "rows"))){
const err99 = {instancePath:instancePath+"/inputs/pairs",schemaPath:"#/properties/inputs/properties/pairs/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key7}};
if(vErrors === null){
vErrors = [err99];
}
else {
vErrors.push(err99);
}
errors++;
}
}
if(data30.sha256 !== undefined){
let data31 = data30.sha256;
if(typeof data31 === "string"){
if(!pattern3.test(data31)){
const err100 = {instancePath:instancePath+"/inputs/pairs/sha256",schemaPath:"#/properties/inputs/properties/pairs/properties/sha256/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err100];
}
else {
vErrors.push(err100);
}
errors++;
}
}
else {
const err101 = {instancePath:instancePath+"/inputs/pairs/sha256",schemaPath:"#/properties/inputs/properties/pairs/properties/sha256/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err101];
}
else {
vErrors.push(err101);
}
errors++;
}
}
if(data30.rows !== undefined){
let data32 = data30.rows;
if(!(((typeof data32 == "number") && (!(data32 % 1) && !isNaN(data32))) && (isFinite(data32)))){
const err102 = {instancePath:instancePath+"/inputs/pairs/rows",schemaPath:"#/properties/inputs/properties/pairs/properties/rows/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err102];
}
else {
vErrors.push(err102);
}
errors++;
}
if((typeof data32 == "number") && (isFinite(data32))){
if(data32 < 0 || isNaN(data32)){
const err103 = {instancePath:instancePath+"/inputs/pairs/rows",schemaPath:"#/properties/inputs/properties/pairs/properties/rows/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err103];
}
else {
vErrors.push(err103);
}
errors++;
}
}
}
}
else {
const err104 = {instancePath:instancePath+"/inputs/pairs",schemaPath:"#/properties/inputs/properties/pairs/type",keyword:"type",params:{type: "object"}};
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
const err105 = {instancePath:instancePath+"/inputs",schemaPath:"#/properties/inputs/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err105];
}
else {
vErrors.push(err105);
}
errors++;
}
}
if(data.settings !== undefined){
let data33 = data.settings;
if(data33 && typeof data33 == "object" && !Array.isArray(data33)){
if(data33.horizons_hours === undefined){
const err106 = {instancePath:instancePath+"/settings",schemaPath:"#/properties/settings/required",keyword:"required",params:{missingProperty: "horizons_hours"}};
if(vErrors === null){
vErrors = [err106];
}
else {
vErrors.push(err106);
}
errors++;
}
if(data33.from === undefined){
const err107 = {instancePath:instancePath+"/settings",schemaPath:"#/properties/settings/required",keyword:"required",params:{missingProperty: "from"}};
if(vErrors === null){
vErrors = [err107];
}
else {
vErrors.push(err107);
}
errors++;
}
if(data33.to === undefined){
const err108 = {instancePath:instancePath+"/settings",schemaPath:"#/properties/settings/required",keyword:"required",params:{missingProperty: "to"}};
if(vErrors === null){
vErrors = [err108];
}
else {
vErrors.push(err108);
}
errors++;
}
if(data33.as_of === undefined){
const err109 = {instancePath:instancePath+"/settings",schemaPath:"#/properties/settings/required",keyword:"required",params:{missingProperty: "as_of"}};
if(vErrors === null){
vErrors = [err109];
}
else {
vErrors.push(err109);
}
errors++;
}
if(data33.origins === undefined){
const err110 = {instancePath:instancePath+"/settings",schemaPath:"#/properties/settings/required",keyword:"required",params:{missingProperty: "origins"}};
if(vErrors === null){
vErrors = [err110];
}
else {
vErrors.push(err110);
}
errors++;
}
if(data33.block_length_origins === undefined){
const err111 = {instancePath:instancePath+"/settings",schemaPath:"#/properties/settings/required",keyword:"required",params:{missingProperty: "block_length_origins"}};
if(vErrors === null){
vErrors = [err111];
}
else {
vErrors.push(err111);
}
errors++;
}
if(data33.blocks_in_window === undefined){
const err112 = {instancePath:instancePath+"/settings",schemaPath:"#/properties/settings/required",keyword:"required",params:{missingProperty: "blocks_in_window"}};
if(vErrors === null){
vErrors = [err112];
}
else {
vErrors.push(err112);
}
errors++;
}
if(data33.replicates === undefined){
const err113 = {instancePath:instancePath+"/settings",schemaPath:"#/properties/settings/required",keyword:"required",params:{missingProperty: "replicates"}};
if(vErrors === null){
vErrors = [err113];
}
else {
vErrors.push(err113);
}
errors++;
}
if(data33.seed === undefined){
const err114 = {instancePath:instancePath+"/settings",schemaPath:"#/properties/settings/required",keyword:"required",params:{missingProperty: "seed"}};
if(vErrors === null){
vErrors = [err114];
}
else {
vErrors.push(err114);
}
errors++;
}
if(data33.alpha === undefined){
const err115 = {instancePath:instancePath+"/settings",schemaPath:"#/properties/settings/required",keyword:"required",params:{missingProperty: "alpha"}};
if(vErrors === null){
vErrors = [err115];
}
else {
vErrors.push(err115);
}
errors++;
}
if(data33.minimum_pairs === undefined){
const err116 = {instancePath:instancePath+"/settings",schemaPath:"#/properties/settings/required",keyword:"required",params:{missingProperty: "minimum_pairs"}};
if(vErrors === null){
vErrors = [err116];
}
else {
vErrors.push(err116);
}
errors++;
}
if(data33.minimum_blocks === undefined){
const err117 = {instancePath:instancePath+"/settings",schemaPath:"#/properties/settings/required",keyword:"required",params:{missingProperty: "minimum_blocks"}};
if(vErrors === null){
vErrors = [err117];
}
else {
vErrors.push(err117);
}
errors++;
}
if(data33.practical_effect_floor === undefined){
const err118 = {instancePath:instancePath+"/settings",schemaPath:"#/properties/settings/required",keyword:"required",params:{missingProperty: "practical_effect_floor"}};
if(vErrors === null){
vErrors = [err118];
}
else {
vErrors.push(err118);
}
errors++;
}
if(data33.regression_limit === undefined){
const err119 = {instancePath:instancePath+"/settings",schemaPath:"#/properties/settings/required",keyword:"required",params:{missingProperty: "regression_limit"}};
if(vErrors === null){
vErrors = [err119];
}
else {
vErrors.push(err119);
}
errors++;
}
if(data33.direction_limit === undefined){
const err120 = {instancePath:instancePath+"/settings",schemaPath:"#/properties/settings/required",keyword:"required",params:{missingProperty: "direction_limit"}};
if(vErrors === null){
vErrors = [err120];
}
else {
vErrors.push(err120);
}
errors++;
}
if(data33.direction_epsilon === undefined){
const err121 = {instancePath:instancePath+"/settings",schemaPath:"#/properties/settings/required",keyword:"required",params:{missingProperty: "direction_epsilon"}};
if(vErrors === null){
vErrors = [err121];
}
else {
vErrors.push(err121);
}
errors++;
}
if(data33.interval_level === undefined){
const err122 = {instancePath:instancePath+"/settings",schemaPath:"#/properties/settings/required",keyword:"required",params:{missingProperty: "interval_level"}};
if(vErrors === null){
vErrors = [err122];
}
else {
vErrors.push(err122);
}
errors++;
}
if(data33.provenance_required === undefined){
const err123 = {instancePath:instancePath+"/settings",schemaPath:"#/properties/settings/required",keyword:"required",params:{missingProperty: "provenance_required"}};
if(vErrors === null){
vErrors = [err123];
}
else {
vErrors.push(err123);
}
errors++;
}
for(const key8 in data33){
if(!(func1.call(schema20.properties.settings.properties, key8))){
const err124 = {instancePath:instancePath+"/settings",schemaPath:"#/properties/settings/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key8}};
if(vErrors === null){
vErrors = [err124];
}
else {
vErrors.push(err124);
}
errors++;
}
}
if(data33.horizons_hours !== undefined){
let data34 = data33.horizons_hours;
if(Array.isArray(data34)){
const len0 = data34.length;
for(let i0=0; i0<len0; i0++){
let data35 = data34[i0];
if(!(((typeof data35 == "number") && (!(data35 % 1) && !isNaN(data35))) && (isFinite(data35)))){
const err125 = {instancePath:instancePath+"/settings/horizons_hours/" + i0,schemaPath:"#/properties/settings/properties/horizons_hours/items/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err125];
}
else {
vErrors.push(err125);
}
errors++;
}
if((typeof data35 == "number") && (isFinite(data35))){
if(data35 < 1 || isNaN(data35)){
const err126 = {instancePath:instancePath+"/settings/horizons_hours/" + i0,schemaPath:"#/properties/settings/properties/horizons_hours/items/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err126];
}
else {
vErrors.push(err126);
}
errors++;
}
}
}
}
else {
const err127 = {instancePath:instancePath+"/settings/horizons_hours",schemaPath:"#/properties/settings/properties/horizons_hours/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err127];
}
else {
vErrors.push(err127);
}
errors++;
}
}
if(data33.from !== undefined){
if(!(validate54(data33.from, {instancePath:instancePath+"/settings/from",parentData:data33,parentDataProperty:"from",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
if(data33.to !== undefined){
if(!(validate54(data33.to, {instancePath:instancePath+"/settings/to",parentData:data33,parentDataProperty:"to",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
if(data33.as_of !== undefined){
if(!(validate54(data33.as_of, {instancePath:instancePath+"/settings/as_of",parentData:data33,parentDataProperty:"as_of",rootData,dynamicAnchors}))){
vErrors = vErrors === null ? validate54.errors : vErrors.concat(validate54.errors);
errors = vErrors.length;
}
}
if(data33.origins !== undefined){
let data39 = data33.origins;
if(!(((typeof data39 == "number") && (!(data39 % 1) && !isNaN(data39))) && (isFinite(data39)))){
const err128 = {instancePath:instancePath+"/settings/origins",schemaPath:"#/properties/settings/properties/origins/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err128];
}
else {
vErrors.push(err128);
}
errors++;
}
if((typeof data39 == "number") && (isFinite(data39))){
if(data39 < 0 || isNaN(data39)){
const err129 = {instancePath:instancePath+"/settings/origins",schemaPath:"#/properties/settings/properties/origins/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err129];
}
else {
vErrors.push(err129);
}
errors++;
}
}
}
if(data33.block_length_origins !== undefined){
let data40 = data33.block_length_origins;
if(!(((typeof data40 == "number") && (!(data40 % 1) && !isNaN(data40))) && (isFinite(data40)))){
const err130 = {instancePath:instancePath+"/settings/block_length_origins",schemaPath:"#/properties/settings/properties/block_length_origins/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err130];
}
else {
vErrors.push(err130);
}
errors++;
}
if((typeof data40 == "number") && (isFinite(data40))){
if(data40 < 1 || isNaN(data40)){
const err131 = {instancePath:instancePath+"/settings/block_length_origins",schemaPath:"#/properties/settings/properties/block_length_origins/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err131];
}
else {
vErrors.push(err131);
}
errors++;
}
}
}
if(data33.blocks_in_window !== undefined){
let data41 = data33.blocks_in_window;
if(!(((typeof data41 == "number") && (!(data41 % 1) && !isNaN(data41))) && (isFinite(data41)))){
const err132 = {instancePath:instancePath+"/settings/blocks_in_window",schemaPath:"#/properties/settings/properties/blocks_in_window/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err132];
}
else {
vErrors.push(err132);
}
errors++;
}
if((typeof data41 == "number") && (isFinite(data41))){
if(data41 < 0 || isNaN(data41)){
const err133 = {instancePath:instancePath+"/settings/blocks_in_window",schemaPath:"#/properties/settings/properties/blocks_in_window/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err133];
}
else {
vErrors.push(err133);
}
errors++;
}
}
}
if(data33.replicates !== undefined){
let data42 = data33.replicates;
if(!(((typeof data42 == "number") && (!(data42 % 1) && !isNaN(data42))) && (isFinite(data42)))){
const err134 = {instancePath:instancePath+"/settings/replicates",schemaPath:"#/properties/settings/properties/replicates/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err134];
}
else {
vErrors.push(err134);
}
errors++;
}
if((typeof data42 == "number") && (isFinite(data42))){
if(data42 < 1 || isNaN(data42)){
const err135 = {instancePath:instancePath+"/settings/replicates",schemaPath:"#/properties/settings/properties/replicates/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err135];
}
else {
vErrors.push(err135);
}
errors++;
}
}
}
if(data33.seed !== undefined){
let data43 = data33.seed;
if(!(((typeof data43 == "number") && (!(data43 % 1) && !isNaN(data43))) && (isFinite(data43)))){
const err136 = {instancePath:instancePath+"/settings/seed",schemaPath:"#/properties/settings/properties/seed/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err136];
}
else {
vErrors.push(err136);
}
errors++;
}
}
if(data33.alpha !== undefined){
let data44 = data33.alpha;
if((typeof data44 == "number") && (isFinite(data44))){
if(data44 > 0.05 || isNaN(data44)){
const err137 = {instancePath:instancePath+"/settings/alpha",schemaPath:"#/properties/settings/properties/alpha/maximum",keyword:"maximum",params:{comparison: "<=", limit: 0.05}};
if(vErrors === null){
vErrors = [err137];
}
else {
vErrors.push(err137);
}
errors++;
}
if(data44 <= 0 || isNaN(data44)){
const err138 = {instancePath:instancePath+"/settings/alpha",schemaPath:"#/properties/settings/properties/alpha/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0}};
if(vErrors === null){
vErrors = [err138];
}
else {
vErrors.push(err138);
}
errors++;
}
}
else {
const err139 = {instancePath:instancePath+"/settings/alpha",schemaPath:"#/properties/settings/properties/alpha/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err139];
}
else {
vErrors.push(err139);
}
errors++;
}
}
if(data33.minimum_pairs !== undefined){
let data45 = data33.minimum_pairs;
if(!(((typeof data45 == "number") && (!(data45 % 1) && !isNaN(data45))) && (isFinite(data45)))){
const err140 = {instancePath:instancePath+"/settings/minimum_pairs",schemaPath:"#/properties/settings/properties/minimum_pairs/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err140];
}
else {
vErrors.push(err140);
}
errors++;
}
if((typeof data45 == "number") && (isFinite(data45))){
if(data45 < 1 || isNaN(data45)){
const err141 = {instancePath:instancePath+"/settings/minimum_pairs",schemaPath:"#/properties/settings/properties/minimum_pairs/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err141];
}
else {
vErrors.push(err141);
}
errors++;
}
}
}
if(data33.minimum_blocks !== undefined){
let data46 = data33.minimum_blocks;
if(!(((typeof data46 == "number") && (!(data46 % 1) && !isNaN(data46))) && (isFinite(data46)))){
const err142 = {instancePath:instancePath+"/settings/minimum_blocks",schemaPath:"#/properties/settings/properties/minimum_blocks/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err142];
}
else {
vErrors.push(err142);
}
errors++;
}
if((typeof data46 == "number") && (isFinite(data46))){
if(data46 < 1 || isNaN(data46)){
const err143 = {instancePath:instancePath+"/settings/minimum_blocks",schemaPath:"#/properties/settings/properties/minimum_blocks/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err143];
}
else {
vErrors.push(err143);
}
errors++;
}
}
}
if(data33.practical_effect_floor !== undefined){
let data47 = data33.practical_effect_floor;
if((typeof data47 == "number") && (isFinite(data47))){
if(data47 < 0 || isNaN(data47)){
const err144 = {instancePath:instancePath+"/settings/practical_effect_floor",schemaPath:"#/properties/settings/properties/practical_effect_floor/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err144];
}
else {
vErrors.push(err144);
}
errors++;
}
}
else {
const err145 = {instancePath:instancePath+"/settings/practical_effect_floor",schemaPath:"#/properties/settings/properties/practical_effect_floor/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err145];
}
else {
vErrors.push(err145);
}
errors++;
}
}
if(data33.regression_limit !== undefined){
let data48 = data33.regression_limit;
if((typeof data48 == "number") && (isFinite(data48))){
if(data48 < 0 || isNaN(data48)){
const err146 = {instancePath:instancePath+"/settings/regression_limit",schemaPath:"#/properties/settings/properties/regression_limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err146];
}
else {
vErrors.push(err146);
}
errors++;
}
}
else {
const err147 = {instancePath:instancePath+"/settings/regression_limit",schemaPath:"#/properties/settings/properties/regression_limit/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err147];
}
else {
vErrors.push(err147);
}
errors++;
}
}
if(data33.direction_limit !== undefined){
let data49 = data33.direction_limit;
if((typeof data49 == "number") && (isFinite(data49))){
if(data49 < 0 || isNaN(data49)){
const err148 = {instancePath:instancePath+"/settings/direction_limit",schemaPath:"#/properties/settings/properties/direction_limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err148];
}
else {
vErrors.push(err148);
}
errors++;
}
}
else {
const err149 = {instancePath:instancePath+"/settings/direction_limit",schemaPath:"#/properties/settings/properties/direction_limit/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err149];
}
else {
vErrors.push(err149);
}
errors++;
}
}
if(data33.direction_epsilon !== undefined){
let data50 = data33.direction_epsilon;
if((typeof data50 == "number") && (isFinite(data50))){
if(data50 < 0 || isNaN(data50)){
const err150 = {instancePath:instancePath+"/settings/direction_epsilon",schemaPath:"#/properties/settings/properties/direction_epsilon/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err150];
}
else {
vErrors.push(err150);
}
errors++;
}
}
else {
const err151 = {instancePath:instancePath+"/settings/direction_epsilon",schemaPath:"#/properties/settings/properties/direction_epsilon/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err151];
}
else {
vErrors.push(err151);
}
errors++;
}
}
if(data33.interval_level !== undefined){
let data51 = data33.interval_level;
if((typeof data51 == "number") && (isFinite(data51))){
if(data51 >= 1 || isNaN(data51)){
const err152 = {instancePath:instancePath+"/settings/interval_level",schemaPath:"#/properties/settings/properties/interval_level/exclusiveMaximum",keyword:"exclusiveMaximum",params:{comparison: "<", limit: 1}};
if(vErrors === null){
vErrors = [err152];
}
else {
vErrors.push(err152);
}
errors++;
}
if(data51 <= 0 || isNaN(data51)){
const err153 = {instancePath:instancePath+"/settings/interval_level",schemaPath:"#/properties/settings/properties/interval_level/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0}};
if(vErrors === null){
vErrors = [err153];
}
else {
vErrors.push(err153);
}
errors++;
}
}
else {
const err154 = {instancePath:instancePath+"/settings/interval_level",schemaPath:"#/properties/settings/properties/interval_level/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err154];
}
else {
vErrors.push(err154);
}
errors++;
}
}
if(data33.provenance_required !== undefined){
if(typeof data33.provenance_required !== "boolean"){
const err155 = {instancePath:instancePath+"/settings/provenance_required",schemaPath:"#/properties/settings/properties/provenance_required/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err155];
}
else {
vErrors.push(err155);
}
errors++;
}
}
}
else {
const err156 = {instancePath:instancePath+"/settings",schemaPath:"#/properties/settings/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err156];
}
else {
vErrors.push(err156);
}
errors++;
}
}
if(data.models !== undefined){
let data53 = data.models;
if(Array.isArray(data53)){
const len1 = data53.length;
for(let i1=0; i1<len1; i1++){
let data54 = data53[i1];
if(data54 && typeof data54 == "object" && !Array.isArray(data54)){
if(data54.name === undefined){
const err157 = {instancePath:instancePath+"/models/" + i1,schemaPath:"#/properties/models/items/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err157];
}
else {
vErrors.push(err157);
}
errors++;
}
if(data54.role === undefined){
const err158 = {instancePath:instancePath+"/models/" + i1,schemaPath:"#/properties/models/items/required",keyword:"required",params:{missingProperty: "role"}};
if(vErrors === null){
vErrors = [err158];
}
else {
vErrors.push(err158);
}
errors++;
}
if(data54.source === undefined){
const err159 = {instancePath:instancePath+"/models/" + i1,schemaPath:"#/properties/models/items/required",keyword:"required",params:{missingProperty: "source"}};
if(vErrors === null){
vErrors = [err159];
}
else {
vErrors.push(err159);
}
errors++;
}
if(data54.required_as === undefined){
const err160 = {instancePath:instancePath+"/models/" + i1,schemaPath:"#/properties/models/items/required",keyword:"required",params:{missingProperty: "required_as"}};
if(vErrors === null){
vErrors = [err160];
}
else {
vErrors.push(err160);
}
errors++;
}
for(const key9 in data54){
if(!((((key9 === "name") || (key9 === "role")) || (key9 === "source")) || (key9 === "required_as"))){
const err161 = {instancePath:instancePath+"/models/" + i1,schemaPath:"#/properties/models/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key9}};
if(vErrors === null){
vErrors = [err161];
}
else {
vErrors.push(err161);
}
errors++;
}
}
if(data54.name !== undefined){
let data55 = data54.name;
if(typeof data55 === "string"){
if(data55.length < 1){
const err162 = {instancePath:instancePath+"/models/" + i1+"/name",schemaPath:"#/properties/models/items/properties/name/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err162];
}
else {
vErrors.push(err162);
}
errors++;
}
}
else {
const err163 = {instancePath:instancePath+"/models/" + i1+"/name",schemaPath:"#/properties/models/items/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err163];
}
else {
vErrors.push(err163);
}
errors++;
}
}
if(data54.role !== undefined){
let data56 = data54.role;
if(!((data56 === "candidate") || (data56 === "comparator"))){
const err164 = {instancePath:instancePath+"/models/" + i1+"/role",schemaPath:"#/properties/models/items/properties/role/enum",keyword:"enum",params:{allowedValues: schema20.properties.models.items.properties.role.enum}};
if(vErrors === null){
vErrors = [err164];
}
else {
vErrors.push(err164);
}
errors++;
}
}
if(data54.source !== undefined){
let data57 = data54.source;
if(!((data57 === "history") || (data57 === "built_in"))){
const err165 = {instancePath:instancePath+"/models/" + i1+"/source",schemaPath:"#/properties/models/items/properties/source/enum",keyword:"enum",params:{allowedValues: schema20.properties.models.items.properties.source.enum}};
if(vErrors === null){
vErrors = [err165];
}
else {
vErrors.push(err165);
}
errors++;
}
}
if(data54.required_as !== undefined){
let data58 = data54.required_as;
if(Array.isArray(data58)){
const len2 = data58.length;
for(let i2=0; i2<len2; i2++){
let data59 = data58[i2];
if(typeof data59 === "string"){
if(data59.length < 1){
const err166 = {instancePath:instancePath+"/models/" + i1+"/required_as/" + i2,schemaPath:"#/properties/models/items/properties/required_as/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err166];
}
else {
vErrors.push(err166);
}
errors++;
}
}
else {
const err167 = {instancePath:instancePath+"/models/" + i1+"/required_as/" + i2,schemaPath:"#/properties/models/items/properties/required_as/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err167];
}
else {
vErrors.push(err167);
}
errors++;
}
}
}
else {
const err168 = {instancePath:instancePath+"/models/" + i1+"/required_as",schemaPath:"#/properties/models/items/properties/required_as/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err168];
}
else {
vErrors.push(err168);
}
errors++;
}
}
}
else {
const err169 = {instancePath:instancePath+"/models/" + i1,schemaPath:"#/properties/models/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err169];
}
else {
vErrors.push(err169);
}
errors++;
}
}
}
else {
const err170 = {instancePath:instancePath+"/models",schemaPath:"#/properties/models/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err170];
}
else {
vErrors.push(err170);
}
errors++;
}
}
if(data.strata !== undefined){
let data60 = data.strata;
if(Array.isArray(data60)){
const len3 = data60.length;
for(let i3=0; i3<len3; i3++){
let data61 = data60[i3];
if(data61 && typeof data61 == "object" && !Array.isArray(data61)){
if(data61.name === undefined){
const err171 = {instancePath:instancePath+"/strata/" + i3,schemaPath:"#/properties/strata/items/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err171];
}
else {
vErrors.push(err171);
}
errors++;
}
if(data61.levels === undefined){
const err172 = {instancePath:instancePath+"/strata/" + i3,schemaPath:"#/properties/strata/items/required",keyword:"required",params:{missingProperty: "levels"}};
if(vErrors === null){
vErrors = [err172];
}
else {
vErrors.push(err172);
}
errors++;
}
for(const key10 in data61){
if(!((key10 === "name") || (key10 === "levels"))){
const err173 = {instancePath:instancePath+"/strata/" + i3,schemaPath:"#/properties/strata/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key10}};
if(vErrors === null){
vErrors = [err173];
}
else {
vErrors.push(err173);
}
errors++;
}
}
if(data61.name !== undefined){
let data62 = data61.name;
if(typeof data62 === "string"){
if(data62.length < 1){
const err174 = {instancePath:instancePath+"/strata/" + i3+"/name",schemaPath:"#/properties/strata/items/properties/name/minLength",keyword:"minLength",params:{limit: 1}};
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
const err175 = {instancePath:instancePath+"/strata/" + i3+"/name",schemaPath:"#/properties/strata/items/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err175];
}
else {
vErrors.push(err175);
}
errors++;
}
}
if(data61.levels !== undefined){
let data63 = data61.levels;
if(Array.isArray(data63)){
const len4 = data63.length;
for(let i4=0; i4<len4; i4++){
let data64 = data63[i4];
if(data64 && typeof data64 == "object" && !Array.isArray(data64)){
if(data64.level === undefined){
const err176 = {instancePath:instancePath+"/strata/" + i3+"/levels/" + i4,schemaPath:"#/properties/strata/items/properties/levels/items/required",keyword:"required",params:{missingProperty: "level"}};
if(vErrors === null){
vErrors = [err176];
}
else {
vErrors.push(err176);
}
errors++;
}
if(data64.origins === undefined){
const err177 = {instancePath:instancePath+"/strata/" + i3+"/levels/" + i4,schemaPath:"#/properties/strata/items/properties/levels/items/required",keyword:"required",params:{missingProperty: "origins"}};
if(vErrors === null){
vErrors = [err177];
}
else {
vErrors.push(err177);
}
errors++;
}
for(const key11 in data64){
if(!((key11 === "level") || (key11 === "origins"))){
const err178 = {instancePath:instancePath+"/strata/" + i3+"/levels/" + i4,schemaPath:"#/properties/strata/items/properties/levels/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key11}};
if(vErrors === null){
vErrors = [err178];
}
else {
vErrors.push(err178);
}
errors++;
}
}
if(data64.level !== undefined){
let data65 = data64.level;
if(typeof data65 === "string"){
if(data65.length < 1){
const err179 = {instancePath:instancePath+"/strata/" + i3+"/levels/" + i4+"/level",schemaPath:"#/properties/strata/items/properties/levels/items/properties/level/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err179];
}
else {
vErrors.push(err179);
}
errors++;
}
}
else {
const err180 = {instancePath:instancePath+"/strata/" + i3+"/levels/" + i4+"/level",schemaPath:"#/properties/strata/items/properties/levels/items/properties/level/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err180];
}
else {
vErrors.push(err180);
}
errors++;
}
}
if(data64.origins !== undefined){
let data66 = data64.origins;
if(!(((typeof data66 == "number") && (!(data66 % 1) && !isNaN(data66))) && (isFinite(data66)))){
const err181 = {instancePath:instancePath+"/strata/" + i3+"/levels/" + i4+"/origins",schemaPath:"#/properties/strata/items/properties/levels/items/properties/origins/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err181];
}
else {
vErrors.push(err181);
}
errors++;
}
if((typeof data66 == "number") && (isFinite(data66))){
if(data66 < 0 || isNaN(data66)){
const err182 = {instancePath:instancePath+"/strata/" + i3+"/levels/" + i4+"/origins",schemaPath:"#/properties/strata/items/properties/levels/items/properties/origins/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err182];
}
else {
vErrors.push(err182);
}
errors++;
}
}
}
}
else {
const err183 = {instancePath:instancePath+"/strata/" + i3+"/levels/" + i4,schemaPath:"#/properties/strata/items/properties/levels/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err183];
}
else {
vErrors.push(err183);
}
errors++;
}
}
}
else {
const err184 = {instancePath:instancePath+"/strata/" + i3+"/levels",schemaPath:"#/properties/strata/items/properties/levels/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err184];
}
else {
vErrors.push(err184);
}
errors++;
}
}
}
else {
const err185 = {instancePath:instancePath+"/strata/" + i3,schemaPath:"#/properties/strata/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err185];
}
else {
vErrors.push(err185);
}
errors++;
}
}
}
else {
const err186 = {instancePath:instancePath+"/strata",schemaPath:"#/properties/strata/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err186];
}
else {
vErrors.push(err186);
}
errors++;
}
}
if(data.accounting !== undefined){
let data67 = data.accounting;
if(Array.isArray(data67)){
const len5 = data67.length;
for(let i5=0; i5<len5; i5++){
let data68 = data67[i5];
if(data68 && typeof data68 == "object" && !Array.isArray(data68)){
if(data68.model === undefined){
const err187 = {instancePath:instancePath+"/accounting/" + i5,schemaPath:"#/properties/accounting/items/required",keyword:"required",params:{missingProperty: "model"}};
if(vErrors === null){
vErrors = [err187];
}
else {
vErrors.push(err187);
}
errors++;
}
if(data68.horizon === undefined){
const err188 = {instancePath:instancePath+"/accounting/" + i5,schemaPath:"#/properties/accounting/items/required",keyword:"required",params:{missingProperty: "horizon"}};
if(vErrors === null){
vErrors = [err188];
}
else {
vErrors.push(err188);
}
errors++;
}
if(data68.stratum === undefined){
const err189 = {instancePath:instancePath+"/accounting/" + i5,schemaPath:"#/properties/accounting/items/required",keyword:"required",params:{missingProperty: "stratum"}};
if(vErrors === null){
vErrors = [err189];
}
else {
vErrors.push(err189);
}
errors++;
}
if(data68.expected === undefined){
const err190 = {instancePath:instancePath+"/accounting/" + i5,schemaPath:"#/properties/accounting/items/required",keyword:"required",params:{missingProperty: "expected"}};
if(vErrors === null){
vErrors = [err190];
}
else {
vErrors.push(err190);
}
errors++;
}
if(data68.point === undefined){
const err191 = {instancePath:instancePath+"/accounting/" + i5,schemaPath:"#/properties/accounting/items/required",keyword:"required",params:{missingProperty: "point"}};
if(vErrors === null){
vErrors = [err191];
}
else {
vErrors.push(err191);
}
errors++;
}
if(data68.interval === undefined){
const err192 = {instancePath:instancePath+"/accounting/" + i5,schemaPath:"#/properties/accounting/items/required",keyword:"required",params:{missingProperty: "interval"}};
if(vErrors === null){
vErrors = [err192];
}
else {
vErrors.push(err192);
}
errors++;
}
if(data68.reasons === undefined){
const err193 = {instancePath:instancePath+"/accounting/" + i5,schemaPath:"#/properties/accounting/items/required",keyword:"required",params:{missingProperty: "reasons"}};
if(vErrors === null){
vErrors = [err193];
}
else {
vErrors.push(err193);
}
errors++;
}
for(const key12 in data68){
if(!(((((((key12 === "model") || (key12 === "horizon")) || (key12 === "stratum")) || (key12 === "expected")) || (key12 === "point")) || (key12 === "interval")) || (key12 === "reasons"))){
const err194 = {instancePath:instancePath+"/accounting/" + i5,schemaPath:"#/properties/accounting/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key12}};
if(vErrors === null){
vErrors = [err194];
}
else {
vErrors.push(err194);
}
errors++;
}
}
if(data68.model !== undefined){
let data69 = data68.model;
if(typeof data69 === "string"){
if(data69.length < 1){
const err195 = {instancePath:instancePath+"/accounting/" + i5+"/model",schemaPath:"#/properties/accounting/items/properties/model/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err195];
}
else {
vErrors.push(err195);
}
errors++;
}
}
else {
const err196 = {instancePath:instancePath+"/accounting/" + i5+"/model",schemaPath:"#/properties/accounting/items/properties/model/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err196];
}
else {
vErrors.push(err196);
}
errors++;
}
}
if(data68.horizon !== undefined){
let data70 = data68.horizon;
const _errs153 = errors;
let valid27 = false;
const _errs154 = errors;
if(!(((typeof data70 == "number") && (!(data70 % 1) && !isNaN(data70))) && (isFinite(data70)))){
const err197 = {instancePath:instancePath+"/accounting/" + i5+"/horizon",schemaPath:"#/properties/accounting/items/properties/horizon/anyOf/0/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err197];
}
else {
vErrors.push(err197);
}
errors++;
}
if((typeof data70 == "number") && (isFinite(data70))){
if(data70 < 1 || isNaN(data70)){
const err198 = {instancePath:instancePath+"/accounting/" + i5+"/horizon",schemaPath:"#/properties/accounting/items/properties/horizon/anyOf/0/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err198];
}
else {
vErrors.push(err198);
}
errors++;
}
}
var _valid2 = _errs154 === errors;
valid27 = valid27 || _valid2;
const _errs156 = errors;
if("all" !== data70){
const err199 = {instancePath:instancePath+"/accounting/" + i5+"/horizon",schemaPath:"#/properties/accounting/items/properties/horizon/anyOf/1/const",keyword:"const",params:{allowedValue: "all"}};
if(vErrors === null){
vErrors = [err199];
}
else {
vErrors.push(err199);
}
errors++;
}
var _valid2 = _errs156 === errors;
valid27 = valid27 || _valid2;
if(!valid27){
const err200 = {instancePath:instancePath+"/accounting/" + i5+"/horizon",schemaPath:"#/properties/accounting/items/properties/horizon/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err200];
}
else {
vErrors.push(err200);
}
errors++;
}
else {
errors = _errs153;
if(vErrors !== null){
if(_errs153){
vErrors.length = _errs153;
}
else {
vErrors = null;
}
}
}
}
if(data68.stratum !== undefined){
let data71 = data68.stratum;
const _errs158 = errors;
let valid28 = false;
const _errs159 = errors;
if("all" !== data71){
const err201 = {instancePath:instancePath+"/accounting/" + i5+"/stratum",schemaPath:"#/properties/accounting/items/properties/stratum/anyOf/0/const",keyword:"const",params:{allowedValue: "all"}};
if(vErrors === null){
vErrors = [err201];
}
else {
vErrors.push(err201);
}
errors++;
}
var _valid3 = _errs159 === errors;
valid28 = valid28 || _valid3;
const _errs160 = errors;
if(data71 && typeof data71 == "object" && !Array.isArray(data71)){
if(data71.name === undefined){
const err202 = {instancePath:instancePath+"/accounting/" + i5+"/stratum",schemaPath:"#/properties/accounting/items/properties/stratum/anyOf/1/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err202];
}
else {
vErrors.push(err202);
}
errors++;
}
if(data71.level === undefined){
const err203 = {instancePath:instancePath+"/accounting/" + i5+"/stratum",schemaPath:"#/properties/accounting/items/properties/stratum/anyOf/1/required",keyword:"required",params:{missingProperty: "level"}};
if(vErrors === null){
vErrors = [err203];
}
else {
vErrors.push(err203);
}
errors++;
}
for(const key13 in data71){
if(!((key13 === "name") || (key13 === "level"))){
const err204 = {instancePath:instancePath+"/accounting/" + i5+"/stratum",schemaPath:"#/properties/accounting/items/properties/stratum/anyOf/1/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key13}};
if(vErrors === null){
vErrors = [err204];
}
else {
vErrors.push(err204);
}
errors++;
}
}
if(data71.name !== undefined){
let data72 = data71.name;
if(typeof data72 === "string"){
if(data72.length < 1){
const err205 = {instancePath:instancePath+"/accounting/" + i5+"/stratum/name",schemaPath:"#/properties/accounting/items/properties/stratum/anyOf/1/properties/name/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err205];
}
else {
vErrors.push(err205);
}
errors++;
}
}
else {
const err206 = {instancePath:instancePath+"/accounting/" + i5+"/stratum/name",schemaPath:"#/properties/accounting/items/properties/stratum/anyOf/1/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err206];
}
else {
vErrors.push(err206);
}
errors++;
}
}
if(data71.level !== undefined){
let data73 = data71.level;
if(typeof data73 === "string"){
if(data73.length < 1){
const err207 = {instancePath:instancePath+"/accounting/" + i5+"/stratum/level",schemaPath:"#/properties/accounting/items/properties/stratum/anyOf/1/properties/level/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err207];
}
else {
vErrors.push(err207);
}
errors++;
}
}
else {
const err208 = {instancePath:instancePath+"/accounting/" + i5+"/stratum/level",schemaPath:"#/properties/accounting/items/properties/stratum/anyOf/1/properties/level/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err208];
}
else {
vErrors.push(err208);
}
errors++;
}
}
}
else {
const err209 = {instancePath:instancePath+"/accounting/" + i5+"/stratum",schemaPath:"#/properties/accounting/items/properties/stratum/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err209];
}
else {
vErrors.push(err209);
}
errors++;
}
var _valid3 = _errs160 === errors;
valid28 = valid28 || _valid3;
if(!valid28){
const err210 = {instancePath:instancePath+"/accounting/" + i5+"/stratum",schemaPath:"#/properties/accounting/items/properties/stratum/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err210];
}
else {
vErrors.push(err210);
}
errors++;
}
else {
errors = _errs158;
if(vErrors !== null){
if(_errs158){
vErrors.length = _errs158;
}
else {
vErrors = null;
}
}
}
}
if(data68.expected !== undefined){
let data74 = data68.expected;
if(!(((typeof data74 == "number") && (!(data74 % 1) && !isNaN(data74))) && (isFinite(data74)))){
const err211 = {instancePath:instancePath+"/accounting/" + i5+"/expected",schemaPath:"#/properties/accounting/items/properties/expected/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err211];
}
else {
vErrors.push(err211);
}
errors++;
}
if((typeof data74 == "number") && (isFinite(data74))){
if(data74 < 0 || isNaN(data74)){
const err212 = {instancePath:instancePath+"/accounting/" + i5+"/expected",schemaPath:"#/properties/accounting/items/properties/expected/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err212];
}
else {
vErrors.push(err212);
}
errors++;
}
}
}
if(data68.point !== undefined){
let data75 = data68.point;
if(data75 && typeof data75 == "object" && !Array.isArray(data75)){
if(data75.scored === undefined){
const err213 = {instancePath:instancePath+"/accounting/" + i5+"/point",schemaPath:"#/properties/accounting/items/properties/point/required",keyword:"required",params:{missingProperty: "scored"}};
if(vErrors === null){
vErrors = [err213];
}
else {
vErrors.push(err213);
}
errors++;
}
if(data75.failed === undefined){
const err214 = {instancePath:instancePath+"/accounting/" + i5+"/point",schemaPath:"#/properties/accounting/items/properties/point/required",keyword:"required",params:{missingProperty: "failed"}};
if(vErrors === null){
vErrors = [err214];
}
else {
vErrors.push(err214);
}
errors++;
}
if(data75.abstained === undefined){
const err215 = {instancePath:instancePath+"/accounting/" + i5+"/point",schemaPath:"#/properties/accounting/items/properties/point/required",keyword:"required",params:{missingProperty: "abstained"}};
if(vErrors === null){
vErrors = [err215];
}
else {
vErrors.push(err215);
}
errors++;
}
if(data75.missing === undefined){
const err216 = {instancePath:instancePath+"/accounting/" + i5+"/point",schemaPath:"#/properties/accounting/items/properties/point/required",keyword:"required",params:{missingProperty: "missing"}};
if(vErrors === null){
vErrors = [err216];
}
else {
vErrors.push(err216);
}
errors++;
}
if(data75.ineligible === undefined){
const err217 = {instancePath:instancePath+"/accounting/" + i5+"/point",schemaPath:"#/properties/accounting/items/properties/point/required",keyword:"required",params:{missingProperty: "ineligible"}};
if(vErrors === null){
vErrors = [err217];
}
else {
vErrors.push(err217);
}
errors++;
}
for(const key14 in data75){
if(!(((((key14 === "scored") || (key14 === "failed")) || (key14 === "abstained")) || (key14 === "missing")) || (key14 === "ineligible"))){
const err218 = {instancePath:instancePath+"/accounting/" + i5+"/point",schemaPath:"#/properties/accounting/items/properties/point/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key14}};
if(vErrors === null){
vErrors = [err218];
}
else {
vErrors.push(err218);
}
errors++;
}
}
if(data75.scored !== undefined){
let data76 = data75.scored;
if(!(((typeof data76 == "number") && (!(data76 % 1) && !isNaN(data76))) && (isFinite(data76)))){
const err219 = {instancePath:instancePath+"/accounting/" + i5+"/point/scored",schemaPath:"#/properties/accounting/items/properties/point/properties/scored/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err219];
}
else {
vErrors.push(err219);
}
errors++;
}
if((typeof data76 == "number") && (isFinite(data76))){
if(data76 < 0 || isNaN(data76)){
const err220 = {instancePath:instancePath+"/accounting/" + i5+"/point/scored",schemaPath:"#/properties/accounting/items/properties/point/properties/scored/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err220];
}
else {
vErrors.push(err220);
}
errors++;
}
}
}
if(data75.failed !== undefined){
let data77 = data75.failed;
if(!(((typeof data77 == "number") && (!(data77 % 1) && !isNaN(data77))) && (isFinite(data77)))){
const err221 = {instancePath:instancePath+"/accounting/" + i5+"/point/failed",schemaPath:"#/properties/accounting/items/properties/point/properties/failed/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err221];
}
else {
vErrors.push(err221);
}
errors++;
}
if((typeof data77 == "number") && (isFinite(data77))){
if(data77 < 0 || isNaN(data77)){
const err222 = {instancePath:instancePath+"/accounting/" + i5+"/point/failed",schemaPath:"#/properties/accounting/items/properties/point/properties/failed/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
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
if(data75.abstained !== undefined){
let data78 = data75.abstained;
if(!(((typeof data78 == "number") && (!(data78 % 1) && !isNaN(data78))) && (isFinite(data78)))){
const err223 = {instancePath:instancePath+"/accounting/" + i5+"/point/abstained",schemaPath:"#/properties/accounting/items/properties/point/properties/abstained/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err223];
}
else {
vErrors.push(err223);
}
errors++;
}
if((typeof data78 == "number") && (isFinite(data78))){
if(data78 < 0 || isNaN(data78)){
const err224 = {instancePath:instancePath+"/accounting/" + i5+"/point/abstained",schemaPath:"#/properties/accounting/items/properties/point/properties/abstained/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err224];
}
else {
vErrors.push(err224);
}
errors++;
}
}
}
if(data75.missing !== undefined){
let data79 = data75.missing;
if(!(((typeof data79 == "number") && (!(data79 % 1) && !isNaN(data79))) && (isFinite(data79)))){
const err225 = {instancePath:instancePath+"/accounting/" + i5+"/point/missing",schemaPath:"#/properties/accounting/items/properties/point/properties/missing/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err225];
}
else {
vErrors.push(err225);
}
errors++;
}
if((typeof data79 == "number") && (isFinite(data79))){
if(data79 < 0 || isNaN(data79)){
const err226 = {instancePath:instancePath+"/accounting/" + i5+"/point/missing",schemaPath:"#/properties/accounting/items/properties/point/properties/missing/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err226];
}
else {
vErrors.push(err226);
}
errors++;
}
}
}
if(data75.ineligible !== undefined){
let data80 = data75.ineligible;
if(!(((typeof data80 == "number") && (!(data80 % 1) && !isNaN(data80))) && (isFinite(data80)))){
const err227 = {instancePath:instancePath+"/accounting/" + i5+"/point/ineligible",schemaPath:"#/properties/accounting/items/properties/point/properties/ineligible/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err227];
}
else {
vErrors.push(err227);
}
errors++;
}
if((typeof data80 == "number") && (isFinite(data80))){
if(data80 < 0 || isNaN(data80)){
const err228 = {instancePath:instancePath+"/accounting/" + i5+"/point/ineligible",schemaPath:"#/properties/accounting/items/properties/point/properties/ineligible/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err228];
}
else {
vErrors.push(err228);
}
errors++;
}
}
}
}
else {
const err229 = {instancePath:instancePath+"/accounting/" + i5+"/point",schemaPath:"#/properties/accounting/items/properties/point/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err229];
}
else {
vErrors.push(err229);
}
errors++;
}
}
if(data68.interval !== undefined){
let data81 = data68.interval;
if(data81 && typeof data81 == "object" && !Array.isArray(data81)){
if(data81.scored === undefined){
const err230 = {instancePath:instancePath+"/accounting/" + i5+"/interval",schemaPath:"#/properties/accounting/items/properties/interval/required",keyword:"required",params:{missingProperty: "scored"}};
if(vErrors === null){
vErrors = [err230];
}
else {
vErrors.push(err230);
}
errors++;
}
if(data81.failed === undefined){
const err231 = {instancePath:instancePath+"/accounting/" + i5+"/interval",schemaPath:"#/properties/accounting/items/properties/interval/required",keyword:"required",params:{missingProperty: "failed"}};
if(vErrors === null){
vErrors = [err231];
}
else {
vErrors.push(err231);
}
errors++;
}
if(data81.abstained === undefined){
const err232 = {instancePath:instancePath+"/accounting/" + i5+"/interval",schemaPath:"#/properties/accounting/items/properties/interval/required",keyword:"required",params:{missingProperty: "abstained"}};
if(vErrors === null){
vErrors = [err232];
}
else {
vErrors.push(err232);
}
errors++;
}
if(data81.missing === undefined){
const err233 = {instancePath:instancePath+"/accounting/" + i5+"/interval",schemaPath:"#/properties/accounting/items/properties/interval/required",keyword:"required",params:{missingProperty: "missing"}};
if(vErrors === null){
vErrors = [err233];
}
else {
vErrors.push(err233);
}
errors++;
}
if(data81.ineligible === undefined){
const err234 = {instancePath:instancePath+"/accounting/" + i5+"/interval",schemaPath:"#/properties/accounting/items/properties/interval/required",keyword:"required",params:{missingProperty: "ineligible"}};
if(vErrors === null){
vErrors = [err234];
}
else {
vErrors.push(err234);
}
errors++;
}
for(const key15 in data81){
if(!(((((key15 === "scored") || (key15 === "failed")) || (key15 === "abstained")) || (key15 === "missing")) || (key15 === "ineligible"))){
const err235 = {instancePath:instancePath+"/accounting/" + i5+"/interval",schemaPath:"#/properties/accounting/items/properties/interval/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key15}};
if(vErrors === null){
vErrors = [err235];
}
else {
vErrors.push(err235);
}
errors++;
}
}
if(data81.scored !== undefined){
let data82 = data81.scored;
if(!(((typeof data82 == "number") && (!(data82 % 1) && !isNaN(data82))) && (isFinite(data82)))){
const err236 = {instancePath:instancePath+"/accounting/" + i5+"/interval/scored",schemaPath:"#/properties/accounting/items/properties/interval/properties/scored/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err236];
}
else {
vErrors.push(err236);
}
errors++;
}
if((typeof data82 == "number") && (isFinite(data82))){
if(data82 < 0 || isNaN(data82)){
const err237 = {instancePath:instancePath+"/accounting/" + i5+"/interval/scored",schemaPath:"#/properties/accounting/items/properties/interval/properties/scored/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err237];
}
else {
vErrors.push(err237);
}
errors++;
}
}
}
if(data81.failed !== undefined){
let data83 = data81.failed;
if(!(((typeof data83 == "number") && (!(data83 % 1) && !isNaN(data83))) && (isFinite(data83)))){
const err238 = {instancePath:instancePath+"/accounting/" + i5+"/interval/failed",schemaPath:"#/properties/accounting/items/properties/interval/properties/failed/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err238];
}
else {
vErrors.push(err238);
}
errors++;
}
if((typeof data83 == "number") && (isFinite(data83))){
if(data83 < 0 || isNaN(data83)){
const err239 = {instancePath:instancePath+"/accounting/" + i5+"/interval/failed",schemaPath:"#/properties/accounting/items/properties/interval/properties/failed/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
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
if(data81.abstained !== undefined){
let data84 = data81.abstained;
if(!(((typeof data84 == "number") && (!(data84 % 1) && !isNaN(data84))) && (isFinite(data84)))){
const err240 = {instancePath:instancePath+"/accounting/" + i5+"/interval/abstained",schemaPath:"#/properties/accounting/items/properties/interval/properties/abstained/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err240];
}
else {
vErrors.push(err240);
}
errors++;
}
if((typeof data84 == "number") && (isFinite(data84))){
if(data84 < 0 || isNaN(data84)){
const err241 = {instancePath:instancePath+"/accounting/" + i5+"/interval/abstained",schemaPath:"#/properties/accounting/items/properties/interval/properties/abstained/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
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
if(data81.missing !== undefined){
let data85 = data81.missing;
if(!(((typeof data85 == "number") && (!(data85 % 1) && !isNaN(data85))) && (isFinite(data85)))){
const err242 = {instancePath:instancePath+"/accounting/" + i5+"/interval/missing",schemaPath:"#/properties/accounting/items/properties/interval/properties/missing/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err242];
}
else {
vErrors.push(err242);
}
errors++;
}
if((typeof data85 == "number") && (isFinite(data85))){
if(data85 < 0 || isNaN(data85)){
const err243 = {instancePath:instancePath+"/accounting/" + i5+"/interval/missing",schemaPath:"#/properties/accounting/items/properties/interval/properties/missing/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err243];
}
else {
vErrors.push(err243);
}
errors++;
}
}
}
if(data81.ineligible !== undefined){
let data86 = data81.ineligible;
if(!(((typeof data86 == "number") && (!(data86 % 1) && !isNaN(data86))) && (isFinite(data86)))){
const err244 = {instancePath:instancePath+"/accounting/" + i5+"/interval/ineligible",schemaPath:"#/properties/accounting/items/properties/interval/properties/ineligible/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err244];
}
else {
vErrors.push(err244);
}
errors++;
}
if((typeof data86 == "number") && (isFinite(data86))){
if(data86 < 0 || isNaN(data86)){
const err245 = {instancePath:instancePath+"/accounting/" + i5+"/interval/ineligible",schemaPath:"#/properties/accounting/items/properties/interval/properties/ineligible/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err245];
}
else {
vErrors.push(err245);
}
errors++;
}
}
}
}
else {
const err246 = {instancePath:instancePath+"/accounting/" + i5+"/interval",schemaPath:"#/properties/accounting/items/properties/interval/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err246];
}
else {
vErrors.push(err246);
}
errors++;
}
}
if(data68.reasons !== undefined){
let data87 = data68.reasons;
if(data87 && typeof data87 == "object" && !Array.isArray(data87)){
for(const key16 in data87){
let data88 = data87[key16];
if(!(((typeof data88 == "number") && (!(data88 % 1) && !isNaN(data88))) && (isFinite(data88)))){
const err247 = {instancePath:instancePath+"/accounting/" + i5+"/reasons/" + key16.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/accounting/items/properties/reasons/additionalProperties/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err247];
}
else {
vErrors.push(err247);
}
errors++;
}
if((typeof data88 == "number") && (isFinite(data88))){
if(data88 < 0 || isNaN(data88)){
const err248 = {instancePath:instancePath+"/accounting/" + i5+"/reasons/" + key16.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/accounting/items/properties/reasons/additionalProperties/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err248];
}
else {
vErrors.push(err248);
}
errors++;
}
}
}
}
else {
const err249 = {instancePath:instancePath+"/accounting/" + i5+"/reasons",schemaPath:"#/properties/accounting/items/properties/reasons/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err249];
}
else {
vErrors.push(err249);
}
errors++;
}
}
}
else {
const err250 = {instancePath:instancePath+"/accounting/" + i5,schemaPath:"#/properties/accounting/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err250];
}
else {
vErrors.push(err250);
}
errors++;
}
}
}
else {
const err251 = {instancePath:instancePath+"/accounting",schemaPath:"#/properties/accounting/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err251];
}
else {
vErrors.push(err251);
}
errors++;
}
}
if(data.outside_grid !== undefined){
let data89 = data.outside_grid;
if(data89 && typeof data89 == "object" && !Array.isArray(data89)){
for(const key17 in data89){
let data90 = data89[key17];
if(!(((typeof data90 == "number") && (!(data90 % 1) && !isNaN(data90))) && (isFinite(data90)))){
const err252 = {instancePath:instancePath+"/outside_grid/" + key17.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/outside_grid/additionalProperties/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err252];
}
else {
vErrors.push(err252);
}
errors++;
}
if((typeof data90 == "number") && (isFinite(data90))){
if(data90 < 0 || isNaN(data90)){
const err253 = {instancePath:instancePath+"/outside_grid/" + key17.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/outside_grid/additionalProperties/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
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
}
else {
const err254 = {instancePath:instancePath+"/outside_grid",schemaPath:"#/properties/outside_grid/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err254];
}
else {
vErrors.push(err254);
}
errors++;
}
}
if(data.measures !== undefined){
let data91 = data.measures;
if(Array.isArray(data91)){
const len6 = data91.length;
for(let i6=0; i6<len6; i6++){
let data92 = data91[i6];
if(data92 && typeof data92 == "object" && !Array.isArray(data92)){
if(data92.model === undefined){
const err255 = {instancePath:instancePath+"/measures/" + i6,schemaPath:"#/properties/measures/items/required",keyword:"required",params:{missingProperty: "model"}};
if(vErrors === null){
vErrors = [err255];
}
else {
vErrors.push(err255);
}
errors++;
}
if(data92.horizon === undefined){
const err256 = {instancePath:instancePath+"/measures/" + i6,schemaPath:"#/properties/measures/items/required",keyword:"required",params:{missingProperty: "horizon"}};
if(vErrors === null){
vErrors = [err256];
}
else {
vErrors.push(err256);
}
errors++;
}
if(data92.stratum === undefined){
const err257 = {instancePath:instancePath+"/measures/" + i6,schemaPath:"#/properties/measures/items/required",keyword:"required",params:{missingProperty: "stratum"}};
if(vErrors === null){
vErrors = [err257];
}
else {
vErrors.push(err257);
}
errors++;
}
if(data92.pairs === undefined){
const err258 = {instancePath:instancePath+"/measures/" + i6,schemaPath:"#/properties/measures/items/required",keyword:"required",params:{missingProperty: "pairs"}};
if(vErrors === null){
vErrors = [err258];
}
else {
vErrors.push(err258);
}
errors++;
}
if(data92.point_loss === undefined){
const err259 = {instancePath:instancePath+"/measures/" + i6,schemaPath:"#/properties/measures/items/required",keyword:"required",params:{missingProperty: "point_loss"}};
if(vErrors === null){
vErrors = [err259];
}
else {
vErrors.push(err259);
}
errors++;
}
if(data92.point_loss_bounds === undefined){
const err260 = {instancePath:instancePath+"/measures/" + i6,schemaPath:"#/properties/measures/items/required",keyword:"required",params:{missingProperty: "point_loss_bounds"}};
if(vErrors === null){
vErrors = [err260];
}
else {
vErrors.push(err260);
}
errors++;
}
if(data92.absolute_percent_error === undefined){
const err261 = {instancePath:instancePath+"/measures/" + i6,schemaPath:"#/properties/measures/items/required",keyword:"required",params:{missingProperty: "absolute_percent_error"}};
if(vErrors === null){
vErrors = [err261];
}
else {
vErrors.push(err261);
}
errors++;
}
if(data92.log_return_bias === undefined){
const err262 = {instancePath:instancePath+"/measures/" + i6,schemaPath:"#/properties/measures/items/required",keyword:"required",params:{missingProperty: "log_return_bias"}};
if(vErrors === null){
vErrors = [err262];
}
else {
vErrors.push(err262);
}
errors++;
}
if(data92.percent_bias === undefined){
const err263 = {instancePath:instancePath+"/measures/" + i6,schemaPath:"#/properties/measures/items/required",keyword:"required",params:{missingProperty: "percent_bias"}};
if(vErrors === null){
vErrors = [err263];
}
else {
vErrors.push(err263);
}
errors++;
}
if(data92.direction === undefined){
const err264 = {instancePath:instancePath+"/measures/" + i6,schemaPath:"#/properties/measures/items/required",keyword:"required",params:{missingProperty: "direction"}};
if(vErrors === null){
vErrors = [err264];
}
else {
vErrors.push(err264);
}
errors++;
}
if(data92.interval === undefined){
const err265 = {instancePath:instancePath+"/measures/" + i6,schemaPath:"#/properties/measures/items/required",keyword:"required",params:{missingProperty: "interval"}};
if(vErrors === null){
vErrors = [err265];
}
else {
vErrors.push(err265);
}
errors++;
}
for(const key18 in data92){
if(!(func1.call(schema20.properties.measures.items.properties, key18))){
const err266 = {instancePath:instancePath+"/measures/" + i6,schemaPath:"#/properties/measures/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key18}};
if(vErrors === null){
vErrors = [err266];
}
else {
vErrors.push(err266);
}
errors++;
}
}
if(data92.model !== undefined){
let data93 = data92.model;
if(typeof data93 === "string"){
if(data93.length < 1){
const err267 = {instancePath:instancePath+"/measures/" + i6+"/model",schemaPath:"#/properties/measures/items/properties/model/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err267];
}
else {
vErrors.push(err267);
}
errors++;
}
}
else {
const err268 = {instancePath:instancePath+"/measures/" + i6+"/model",schemaPath:"#/properties/measures/items/properties/model/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err268];
}
else {
vErrors.push(err268);
}
errors++;
}
}
if(data92.horizon !== undefined){
let data94 = data92.horizon;
const _errs213 = errors;
let valid37 = false;
const _errs214 = errors;
if(!(((typeof data94 == "number") && (!(data94 % 1) && !isNaN(data94))) && (isFinite(data94)))){
const err269 = {instancePath:instancePath+"/measures/" + i6+"/horizon",schemaPath:"#/properties/measures/items/properties/horizon/anyOf/0/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err269];
}
else {
vErrors.push(err269);
}
errors++;
}
if((typeof data94 == "number") && (isFinite(data94))){
if(data94 < 1 || isNaN(data94)){
const err270 = {instancePath:instancePath+"/measures/" + i6+"/horizon",schemaPath:"#/properties/measures/items/properties/horizon/anyOf/0/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err270];
}
else {
vErrors.push(err270);
}
errors++;
}
}
var _valid4 = _errs214 === errors;
valid37 = valid37 || _valid4;
const _errs216 = errors;
if("overall" !== data94){
const err271 = {instancePath:instancePath+"/measures/" + i6+"/horizon",schemaPath:"#/properties/measures/items/properties/horizon/anyOf/1/const",keyword:"const",params:{allowedValue: "overall"}};
if(vErrors === null){
vErrors = [err271];
}
else {
vErrors.push(err271);
}
errors++;
}
var _valid4 = _errs216 === errors;
valid37 = valid37 || _valid4;
if(!valid37){
const err272 = {instancePath:instancePath+"/measures/" + i6+"/horizon",schemaPath:"#/properties/measures/items/properties/horizon/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err272];
}
else {
vErrors.push(err272);
}
errors++;
}
else {
errors = _errs213;
if(vErrors !== null){
if(_errs213){
vErrors.length = _errs213;
}
else {
vErrors = null;
}
}
}
}
if(data92.stratum !== undefined){
let data95 = data92.stratum;
const _errs218 = errors;
let valid38 = false;
const _errs219 = errors;
if("all" !== data95){
const err273 = {instancePath:instancePath+"/measures/" + i6+"/stratum",schemaPath:"#/properties/measures/items/properties/stratum/anyOf/0/const",keyword:"const",params:{allowedValue: "all"}};
if(vErrors === null){
vErrors = [err273];
}
else {
vErrors.push(err273);
}
errors++;
}
var _valid5 = _errs219 === errors;
valid38 = valid38 || _valid5;
const _errs220 = errors;
if(data95 && typeof data95 == "object" && !Array.isArray(data95)){
if(data95.name === undefined){
const err274 = {instancePath:instancePath+"/measures/" + i6+"/stratum",schemaPath:"#/properties/measures/items/properties/stratum/anyOf/1/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err274];
}
else {
vErrors.push(err274);
}
errors++;
}
if(data95.level === undefined){
const err275 = {instancePath:instancePath+"/measures/" + i6+"/stratum",schemaPath:"#/properties/measures/items/properties/stratum/anyOf/1/required",keyword:"required",params:{missingProperty: "level"}};
if(vErrors === null){
vErrors = [err275];
}
else {
vErrors.push(err275);
}
errors++;
}
for(const key19 in data95){
if(!((key19 === "name") || (key19 === "level"))){
const err276 = {instancePath:instancePath+"/measures/" + i6+"/stratum",schemaPath:"#/properties/measures/items/properties/stratum/anyOf/1/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key19}};
if(vErrors === null){
vErrors = [err276];
}
else {
vErrors.push(err276);
}
errors++;
}
}
if(data95.name !== undefined){
let data96 = data95.name;
if(typeof data96 === "string"){
if(data96.length < 1){
const err277 = {instancePath:instancePath+"/measures/" + i6+"/stratum/name",schemaPath:"#/properties/measures/items/properties/stratum/anyOf/1/properties/name/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err277];
}
else {
vErrors.push(err277);
}
errors++;
}
}
else {
const err278 = {instancePath:instancePath+"/measures/" + i6+"/stratum/name",schemaPath:"#/properties/measures/items/properties/stratum/anyOf/1/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err278];
}
else {
vErrors.push(err278);
}
errors++;
}
}
if(data95.level !== undefined){
let data97 = data95.level;
if(typeof data97 === "string"){
if(data97.length < 1){
const err279 = {instancePath:instancePath+"/measures/" + i6+"/stratum/level",schemaPath:"#/properties/measures/items/properties/stratum/anyOf/1/properties/level/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err279];
}
else {
vErrors.push(err279);
}
errors++;
}
}
else {
const err280 = {instancePath:instancePath+"/measures/" + i6+"/stratum/level",schemaPath:"#/properties/measures/items/properties/stratum/anyOf/1/properties/level/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err280];
}
else {
vErrors.push(err280);
}
errors++;
}
}
}
else {
const err281 = {instancePath:instancePath+"/measures/" + i6+"/stratum",schemaPath:"#/properties/measures/items/properties/stratum/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err281];
}
else {
vErrors.push(err281);
}
errors++;
}
var _valid5 = _errs220 === errors;
valid38 = valid38 || _valid5;
if(!valid38){
const err282 = {instancePath:instancePath+"/measures/" + i6+"/stratum",schemaPath:"#/properties/measures/items/properties/stratum/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err282];
}
else {
vErrors.push(err282);
}
errors++;
}
else {
errors = _errs218;
if(vErrors !== null){
if(_errs218){
vErrors.length = _errs218;
}
else {
vErrors = null;
}
}
}
}
if(data92.pairs !== undefined){
let data98 = data92.pairs;
if(!(((typeof data98 == "number") && (!(data98 % 1) && !isNaN(data98))) && (isFinite(data98)))){
const err283 = {instancePath:instancePath+"/measures/" + i6+"/pairs",schemaPath:"#/properties/measures/items/properties/pairs/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err283];
}
else {
vErrors.push(err283);
}
errors++;
}
if((typeof data98 == "number") && (isFinite(data98))){
if(data98 < 0 || isNaN(data98)){
const err284 = {instancePath:instancePath+"/measures/" + i6+"/pairs",schemaPath:"#/properties/measures/items/properties/pairs/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err284];
}
else {
vErrors.push(err284);
}
errors++;
}
}
}
if(data92.point_loss !== undefined){
let data99 = data92.point_loss;
if((!((typeof data99 == "number") && (isFinite(data99)))) && (data99 !== null)){
const err285 = {instancePath:instancePath+"/measures/" + i6+"/point_loss",schemaPath:"#/properties/measures/items/properties/point_loss/type",keyword:"type",params:{type: schema20.properties.measures.items.properties.point_loss.type}};
if(vErrors === null){
vErrors = [err285];
}
else {
vErrors.push(err285);
}
errors++;
}
}
if(data92.point_loss_bounds !== undefined){
let data100 = data92.point_loss_bounds;
const _errs232 = errors;
let valid40 = false;
const _errs233 = errors;
if(data100 && typeof data100 == "object" && !Array.isArray(data100)){
if(data100.lower === undefined){
const err286 = {instancePath:instancePath+"/measures/" + i6+"/point_loss_bounds",schemaPath:"#/properties/measures/items/properties/point_loss_bounds/anyOf/0/required",keyword:"required",params:{missingProperty: "lower"}};
if(vErrors === null){
vErrors = [err286];
}
else {
vErrors.push(err286);
}
errors++;
}
if(data100.upper === undefined){
const err287 = {instancePath:instancePath+"/measures/" + i6+"/point_loss_bounds",schemaPath:"#/properties/measures/items/properties/point_loss_bounds/anyOf/0/required",keyword:"required",params:{missingProperty: "upper"}};
if(vErrors === null){
vErrors = [err287];
}
else {
vErrors.push(err287);
}
errors++;
}
for(const key20 in data100){
if(!((key20 === "lower") || (key20 === "upper"))){
const err288 = {instancePath:instancePath+"/measures/" + i6+"/point_loss_bounds",schemaPath:"#/properties/measures/items/properties/point_loss_bounds/anyOf/0/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key20}};
if(vErrors === null){
vErrors = [err288];
}
else {
vErrors.push(err288);
}
errors++;
}
}
if(data100.lower !== undefined){
let data101 = data100.lower;
if(!((typeof data101 == "number") && (isFinite(data101)))){
const err289 = {instancePath:instancePath+"/measures/" + i6+"/point_loss_bounds/lower",schemaPath:"#/properties/measures/items/properties/point_loss_bounds/anyOf/0/properties/lower/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err289];
}
else {
vErrors.push(err289);
}
errors++;
}
}
if(data100.upper !== undefined){
let data102 = data100.upper;
if(!((typeof data102 == "number") && (isFinite(data102)))){
const err290 = {instancePath:instancePath+"/measures/" + i6+"/point_loss_bounds/upper",schemaPath:"#/properties/measures/items/properties/point_loss_bounds/anyOf/0/properties/upper/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err290];
}
else {
vErrors.push(err290);
}
errors++;
}
}
}
else {
const err291 = {instancePath:instancePath+"/measures/" + i6+"/point_loss_bounds",schemaPath:"#/properties/measures/items/properties/point_loss_bounds/anyOf/0/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err291];
}
else {
vErrors.push(err291);
}
errors++;
}
var _valid6 = _errs233 === errors;
valid40 = valid40 || _valid6;
const _errs240 = errors;
if(data100 !== null){
const err292 = {instancePath:instancePath+"/measures/" + i6+"/point_loss_bounds",schemaPath:"#/properties/measures/items/properties/point_loss_bounds/anyOf/1/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err292];
}
else {
vErrors.push(err292);
}
errors++;
}
var _valid6 = _errs240 === errors;
valid40 = valid40 || _valid6;
if(!valid40){
const err293 = {instancePath:instancePath+"/measures/" + i6+"/point_loss_bounds",schemaPath:"#/properties/measures/items/properties/point_loss_bounds/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err293];
}
else {
vErrors.push(err293);
}
errors++;
}
else {
errors = _errs232;
if(vErrors !== null){
if(_errs232){
vErrors.length = _errs232;
}
else {
vErrors = null;
}
}
}
}
if(data92.absolute_percent_error !== undefined){
let data103 = data92.absolute_percent_error;
if((!((typeof data103 == "number") && (isFinite(data103)))) && (data103 !== null)){
const err294 = {instancePath:instancePath+"/measures/" + i6+"/absolute_percent_error",schemaPath:"#/properties/measures/items/properties/absolute_percent_error/type",keyword:"type",params:{type: schema20.properties.measures.items.properties.absolute_percent_error.type}};
if(vErrors === null){
vErrors = [err294];
}
else {
vErrors.push(err294);
}
errors++;
}
}
if(data92.log_return_bias !== undefined){
let data104 = data92.log_return_bias;
if((!((typeof data104 == "number") && (isFinite(data104)))) && (data104 !== null)){
const err295 = {instancePath:instancePath+"/measures/" + i6+"/log_return_bias",schemaPath:"#/properties/measures/items/properties/log_return_bias/type",keyword:"type",params:{type: schema20.properties.measures.items.properties.log_return_bias.type}};
if(vErrors === null){
vErrors = [err295];
}
else {
vErrors.push(err295);
}
errors++;
}
}
if(data92.percent_bias !== undefined){
let data105 = data92.percent_bias;
if((!((typeof data105 == "number") && (isFinite(data105)))) && (data105 !== null)){
const err296 = {instancePath:instancePath+"/measures/" + i6+"/percent_bias",schemaPath:"#/properties/measures/items/properties/percent_bias/type",keyword:"type",params:{type: schema20.properties.measures.items.properties.percent_bias.type}};
if(vErrors === null){
vErrors = [err296];
}
else {
vErrors.push(err296);
}
errors++;
}
}
if(data92.direction !== undefined){
let data106 = data92.direction;
if(data106 && typeof data106 == "object" && !Array.isArray(data106)){
if(data106.eligible === undefined){
const err297 = {instancePath:instancePath+"/measures/" + i6+"/direction",schemaPath:"#/properties/measures/items/properties/direction/required",keyword:"required",params:{missingProperty: "eligible"}};
if(vErrors === null){
vErrors = [err297];
}
else {
vErrors.push(err297);
}
errors++;
}
if(data106.accuracy === undefined){
const err298 = {instancePath:instancePath+"/measures/" + i6+"/direction",schemaPath:"#/properties/measures/items/properties/direction/required",keyword:"required",params:{missingProperty: "accuracy"}};
if(vErrors === null){
vErrors = [err298];
}
else {
vErrors.push(err298);
}
errors++;
}
if(data106.error_rate === undefined){
const err299 = {instancePath:instancePath+"/measures/" + i6+"/direction",schemaPath:"#/properties/measures/items/properties/direction/required",keyword:"required",params:{missingProperty: "error_rate"}};
if(vErrors === null){
vErrors = [err299];
}
else {
vErrors.push(err299);
}
errors++;
}
for(const key21 in data106){
if(!(((key21 === "eligible") || (key21 === "accuracy")) || (key21 === "error_rate"))){
const err300 = {instancePath:instancePath+"/measures/" + i6+"/direction",schemaPath:"#/properties/measures/items/properties/direction/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key21}};
if(vErrors === null){
vErrors = [err300];
}
else {
vErrors.push(err300);
}
errors++;
}
}
if(data106.eligible !== undefined){
let data107 = data106.eligible;
if(!(((typeof data107 == "number") && (!(data107 % 1) && !isNaN(data107))) && (isFinite(data107)))){
const err301 = {instancePath:instancePath+"/measures/" + i6+"/direction/eligible",schemaPath:"#/properties/measures/items/properties/direction/properties/eligible/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err301];
}
else {
vErrors.push(err301);
}
errors++;
}
if((typeof data107 == "number") && (isFinite(data107))){
if(data107 < 0 || isNaN(data107)){
const err302 = {instancePath:instancePath+"/measures/" + i6+"/direction/eligible",schemaPath:"#/properties/measures/items/properties/direction/properties/eligible/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err302];
}
else {
vErrors.push(err302);
}
errors++;
}
}
}
if(data106.accuracy !== undefined){
let data108 = data106.accuracy;
if((!((typeof data108 == "number") && (isFinite(data108)))) && (data108 !== null)){
const err303 = {instancePath:instancePath+"/measures/" + i6+"/direction/accuracy",schemaPath:"#/properties/measures/items/properties/direction/properties/accuracy/type",keyword:"type",params:{type: schema20.properties.measures.items.properties.direction.properties.accuracy.type}};
if(vErrors === null){
vErrors = [err303];
}
else {
vErrors.push(err303);
}
errors++;
}
}
if(data106.error_rate !== undefined){
let data109 = data106.error_rate;
if((!((typeof data109 == "number") && (isFinite(data109)))) && (data109 !== null)){
const err304 = {instancePath:instancePath+"/measures/" + i6+"/direction/error_rate",schemaPath:"#/properties/measures/items/properties/direction/properties/error_rate/type",keyword:"type",params:{type: schema20.properties.measures.items.properties.direction.properties.error_rate.type}};
if(vErrors === null){
vErrors = [err304];
}
else {
vErrors.push(err304);
}
errors++;
}
}
}
else {
const err305 = {instancePath:instancePath+"/measures/" + i6+"/direction",schemaPath:"#/properties/measures/items/properties/direction/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err305];
}
else {
vErrors.push(err305);
}
errors++;
}
}
if(data92.interval !== undefined){
let data110 = data92.interval;
if(data110 && typeof data110 == "object" && !Array.isArray(data110)){
if(data110.pairs === undefined){
const err306 = {instancePath:instancePath+"/measures/" + i6+"/interval",schemaPath:"#/properties/measures/items/properties/interval/required",keyword:"required",params:{missingProperty: "pairs"}};
if(vErrors === null){
vErrors = [err306];
}
else {
vErrors.push(err306);
}
errors++;
}
if(data110.score === undefined){
const err307 = {instancePath:instancePath+"/measures/" + i6+"/interval",schemaPath:"#/properties/measures/items/properties/interval/required",keyword:"required",params:{missingProperty: "score"}};
if(vErrors === null){
vErrors = [err307];
}
else {
vErrors.push(err307);
}
errors++;
}
if(data110.pinball === undefined){
const err308 = {instancePath:instancePath+"/measures/" + i6+"/interval",schemaPath:"#/properties/measures/items/properties/interval/required",keyword:"required",params:{missingProperty: "pinball"}};
if(vErrors === null){
vErrors = [err308];
}
else {
vErrors.push(err308);
}
errors++;
}
if(data110.coverage === undefined){
const err309 = {instancePath:instancePath+"/measures/" + i6+"/interval",schemaPath:"#/properties/measures/items/properties/interval/required",keyword:"required",params:{missingProperty: "coverage"}};
if(vErrors === null){
vErrors = [err309];
}
else {
vErrors.push(err309);
}
errors++;
}
if(data110.coverage_bounds === undefined){
const err310 = {instancePath:instancePath+"/measures/" + i6+"/interval",schemaPath:"#/properties/measures/items/properties/interval/required",keyword:"required",params:{missingProperty: "coverage_bounds"}};
if(vErrors === null){
vErrors = [err310];
}
else {
vErrors.push(err310);
}
errors++;
}
if(data110.coverage_difference === undefined){
const err311 = {instancePath:instancePath+"/measures/" + i6+"/interval",schemaPath:"#/properties/measures/items/properties/interval/required",keyword:"required",params:{missingProperty: "coverage_difference"}};
if(vErrors === null){
vErrors = [err311];
}
else {
vErrors.push(err311);
}
errors++;
}
if(data110.width === undefined){
const err312 = {instancePath:instancePath+"/measures/" + i6+"/interval",schemaPath:"#/properties/measures/items/properties/interval/required",keyword:"required",params:{missingProperty: "width"}};
if(vErrors === null){
vErrors = [err312];
}
else {
vErrors.push(err312);
}
errors++;
}
if(data110.width_percent === undefined){
const err313 = {instancePath:instancePath+"/measures/" + i6+"/interval",schemaPath:"#/properties/measures/items/properties/interval/required",keyword:"required",params:{missingProperty: "width_percent"}};
if(vErrors === null){
vErrors = [err313];
}
else {
vErrors.push(err313);
}
errors++;
}
for(const key22 in data110){
if(!((((((((key22 === "pairs") || (key22 === "score")) || (key22 === "pinball")) || (key22 === "coverage")) || (key22 === "coverage_bounds")) || (key22 === "coverage_difference")) || (key22 === "width")) || (key22 === "width_percent"))){
const err314 = {instancePath:instancePath+"/measures/" + i6+"/interval",schemaPath:"#/properties/measures/items/properties/interval/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key22}};
if(vErrors === null){
vErrors = [err314];
}
else {
vErrors.push(err314);
}
errors++;
}
}
if(data110.pairs !== undefined){
let data111 = data110.pairs;
if(!(((typeof data111 == "number") && (!(data111 % 1) && !isNaN(data111))) && (isFinite(data111)))){
const err315 = {instancePath:instancePath+"/measures/" + i6+"/interval/pairs",schemaPath:"#/properties/measures/items/properties/interval/properties/pairs/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err315];
}
else {
vErrors.push(err315);
}
errors++;
}
if((typeof data111 == "number") && (isFinite(data111))){
if(data111 < 0 || isNaN(data111)){
const err316 = {instancePath:instancePath+"/measures/" + i6+"/interval/pairs",schemaPath:"#/properties/measures/items/properties/interval/properties/pairs/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err316];
}
else {
vErrors.push(err316);
}
errors++;
}
}
}
if(data110.score !== undefined){
let data112 = data110.score;
if((!((typeof data112 == "number") && (isFinite(data112)))) && (data112 !== null)){
const err317 = {instancePath:instancePath+"/measures/" + i6+"/interval/score",schemaPath:"#/properties/measures/items/properties/interval/properties/score/type",keyword:"type",params:{type: schema20.properties.measures.items.properties.interval.properties.score.type}};
if(vErrors === null){
vErrors = [err317];
}
else {
vErrors.push(err317);
}
errors++;
}
}
if(data110.pinball !== undefined){
let data113 = data110.pinball;
if(data113 && typeof data113 == "object" && !Array.isArray(data113)){
if(data113["0.1"] === undefined){
const err318 = {instancePath:instancePath+"/measures/" + i6+"/interval/pinball",schemaPath:"#/properties/measures/items/properties/interval/properties/pinball/required",keyword:"required",params:{missingProperty: "0.1"}};
if(vErrors === null){
vErrors = [err318];
}
else {
vErrors.push(err318);
}
errors++;
}
if(data113["0.5"] === undefined){
const err319 = {instancePath:instancePath+"/measures/" + i6+"/interval/pinball",schemaPath:"#/properties/measures/items/properties/interval/properties/pinball/required",keyword:"required",params:{missingProperty: "0.5"}};
if(vErrors === null){
vErrors = [err319];
}
else {
vErrors.push(err319);
}
errors++;
}
if(data113["0.9"] === undefined){
const err320 = {instancePath:instancePath+"/measures/" + i6+"/interval/pinball",schemaPath:"#/properties/measures/items/properties/interval/properties/pinball/required",keyword:"required",params:{missingProperty: "0.9"}};
if(vErrors === null){
vErrors = [err320];
}
else {
vErrors.push(err320);
}
errors++;
}
for(const key23 in data113){
if(!(((key23 === "0.1") || (key23 === "0.5")) || (key23 === "0.9"))){
const err321 = {instancePath:instancePath+"/measures/" + i6+"/interval/pinball",schemaPath:"#/properties/measures/items/properties/interval/properties/pinball/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key23}};
if(vErrors === null){
vErrors = [err321];
}
else {
vErrors.push(err321);
}
errors++;
}
}
if(data113["0.1"] !== undefined){
let data114 = data113["0.1"];
if((!((typeof data114 == "number") && (isFinite(data114)))) && (data114 !== null)){
const err322 = {instancePath:instancePath+"/measures/" + i6+"/interval/pinball/0.1",schemaPath:"#/properties/measures/items/properties/interval/properties/pinball/properties/0.1/type",keyword:"type",params:{type: schema20.properties.measures.items.properties.interval.properties.pinball.properties["0.1"].type}};
if(vErrors === null){
vErrors = [err322];
}
else {
vErrors.push(err322);
}
errors++;
}
}
if(data113["0.5"] !== undefined){
let data115 = data113["0.5"];
if((!((typeof data115 == "number") && (isFinite(data115)))) && (data115 !== null)){
const err323 = {instancePath:instancePath+"/measures/" + i6+"/interval/pinball/0.5",schemaPath:"#/properties/measures/items/properties/interval/properties/pinball/properties/0.5/type",keyword:"type",params:{type: schema20.properties.measures.items.properties.interval.properties.pinball.properties["0.5"].type}};
if(vErrors === null){
vErrors = [err323];
}
else {
vErrors.push(err323);
}
errors++;
}
}
if(data113["0.9"] !== undefined){
let data116 = data113["0.9"];
if((!((typeof data116 == "number") && (isFinite(data116)))) && (data116 !== null)){
const err324 = {instancePath:instancePath+"/measures/" + i6+"/interval/pinball/0.9",schemaPath:"#/properties/measures/items/properties/interval/properties/pinball/properties/0.9/type",keyword:"type",params:{type: schema20.properties.measures.items.properties.interval.properties.pinball.properties["0.9"].type}};
if(vErrors === null){
vErrors = [err324];
}
else {
vErrors.push(err324);
}
errors++;
}
}
}
else {
const err325 = {instancePath:instancePath+"/measures/" + i6+"/interval/pinball",schemaPath:"#/properties/measures/items/properties/interval/properties/pinball/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err325];
}
else {
vErrors.push(err325);
}
errors++;
}
}
if(data110.coverage !== undefined){
let data117 = data110.coverage;
if((!((typeof data117 == "number") && (isFinite(data117)))) && (data117 !== null)){
const err326 = {instancePath:instancePath+"/measures/" + i6+"/interval/coverage",schemaPath:"#/properties/measures/items/properties/interval/properties/coverage/type",keyword:"type",params:{type: schema20.properties.measures.items.properties.interval.properties.coverage.type}};
if(vErrors === null){
vErrors = [err326];
}
else {
vErrors.push(err326);
}
errors++;
}
}
if(data110.coverage_bounds !== undefined){
let data118 = data110.coverage_bounds;
const _errs276 = errors;
let valid45 = false;
const _errs277 = errors;
if(data118 && typeof data118 == "object" && !Array.isArray(data118)){
if(data118.lower === undefined){
const err327 = {instancePath:instancePath+"/measures/" + i6+"/interval/coverage_bounds",schemaPath:"#/properties/measures/items/properties/interval/properties/coverage_bounds/anyOf/0/required",keyword:"required",params:{missingProperty: "lower"}};
if(vErrors === null){
vErrors = [err327];
}
else {
vErrors.push(err327);
}
errors++;
}
if(data118.upper === undefined){
const err328 = {instancePath:instancePath+"/measures/" + i6+"/interval/coverage_bounds",schemaPath:"#/properties/measures/items/properties/interval/properties/coverage_bounds/anyOf/0/required",keyword:"required",params:{missingProperty: "upper"}};
if(vErrors === null){
vErrors = [err328];
}
else {
vErrors.push(err328);
}
errors++;
}
for(const key24 in data118){
if(!((key24 === "lower") || (key24 === "upper"))){
const err329 = {instancePath:instancePath+"/measures/" + i6+"/interval/coverage_bounds",schemaPath:"#/properties/measures/items/properties/interval/properties/coverage_bounds/anyOf/0/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key24}};
if(vErrors === null){
vErrors = [err329];
}
else {
vErrors.push(err329);
}
errors++;
}
}
if(data118.lower !== undefined){
let data119 = data118.lower;
if(!((typeof data119 == "number") && (isFinite(data119)))){
const err330 = {instancePath:instancePath+"/measures/" + i6+"/interval/coverage_bounds/lower",schemaPath:"#/properties/measures/items/properties/interval/properties/coverage_bounds/anyOf/0/properties/lower/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err330];
}
else {
vErrors.push(err330);
}
errors++;
}
}
if(data118.upper !== undefined){
let data120 = data118.upper;
if(!((typeof data120 == "number") && (isFinite(data120)))){
const err331 = {instancePath:instancePath+"/measures/" + i6+"/interval/coverage_bounds/upper",schemaPath:"#/properties/measures/items/properties/interval/properties/coverage_bounds/anyOf/0/properties/upper/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err331];
}
else {
vErrors.push(err331);
}
errors++;
}
}
}
else {
const err332 = {instancePath:instancePath+"/measures/" + i6+"/interval/coverage_bounds",schemaPath:"#/properties/measures/items/properties/interval/properties/coverage_bounds/anyOf/0/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err332];
}
else {
vErrors.push(err332);
}
errors++;
}
var _valid7 = _errs277 === errors;
valid45 = valid45 || _valid7;
const _errs284 = errors;
if(data118 !== null){
const err333 = {instancePath:instancePath+"/measures/" + i6+"/interval/coverage_bounds",schemaPath:"#/properties/measures/items/properties/interval/properties/coverage_bounds/anyOf/1/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err333];
}
else {
vErrors.push(err333);
}
errors++;
}
var _valid7 = _errs284 === errors;
valid45 = valid45 || _valid7;
if(!valid45){
const err334 = {instancePath:instancePath+"/measures/" + i6+"/interval/coverage_bounds",schemaPath:"#/properties/measures/items/properties/interval/properties/coverage_bounds/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err334];
}
else {
vErrors.push(err334);
}
errors++;
}
else {
errors = _errs276;
if(vErrors !== null){
if(_errs276){
vErrors.length = _errs276;
}
else {
vErrors = null;
}
}
}
}
if(data110.coverage_difference !== undefined){
let data121 = data110.coverage_difference;
if((!((typeof data121 == "number") && (isFinite(data121)))) && (data121 !== null)){
const err335 = {instancePath:instancePath+"/measures/" + i6+"/interval/coverage_difference",schemaPath:"#/properties/measures/items/properties/interval/properties/coverage_difference/type",keyword:"type",params:{type: schema20.properties.measures.items.properties.interval.properties.coverage_difference.type}};
if(vErrors === null){
vErrors = [err335];
}
else {
vErrors.push(err335);
}
errors++;
}
}
if(data110.width !== undefined){
let data122 = data110.width;
if((!((typeof data122 == "number") && (isFinite(data122)))) && (data122 !== null)){
const err336 = {instancePath:instancePath+"/measures/" + i6+"/interval/width",schemaPath:"#/properties/measures/items/properties/interval/properties/width/type",keyword:"type",params:{type: schema20.properties.measures.items.properties.interval.properties.width.type}};
if(vErrors === null){
vErrors = [err336];
}
else {
vErrors.push(err336);
}
errors++;
}
}
if(data110.width_percent !== undefined){
let data123 = data110.width_percent;
if((!((typeof data123 == "number") && (isFinite(data123)))) && (data123 !== null)){
const err337 = {instancePath:instancePath+"/measures/" + i6+"/interval/width_percent",schemaPath:"#/properties/measures/items/properties/interval/properties/width_percent/type",keyword:"type",params:{type: schema20.properties.measures.items.properties.interval.properties.width_percent.type}};
if(vErrors === null){
vErrors = [err337];
}
else {
vErrors.push(err337);
}
errors++;
}
}
}
else {
const err338 = {instancePath:instancePath+"/measures/" + i6+"/interval",schemaPath:"#/properties/measures/items/properties/interval/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err338];
}
else {
vErrors.push(err338);
}
errors++;
}
}
}
else {
const err339 = {instancePath:instancePath+"/measures/" + i6,schemaPath:"#/properties/measures/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err339];
}
else {
vErrors.push(err339);
}
errors++;
}
}
}
else {
const err340 = {instancePath:instancePath+"/measures",schemaPath:"#/properties/measures/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err340];
}
else {
vErrors.push(err340);
}
errors++;
}
}
if(data.shared_keys !== undefined){
let data124 = data.shared_keys;
if(Array.isArray(data124)){
const len7 = data124.length;
for(let i7=0; i7<len7; i7++){
let data125 = data124[i7];
if(data125 && typeof data125 == "object" && !Array.isArray(data125)){
if(data125.candidate === undefined){
const err341 = {instancePath:instancePath+"/shared_keys/" + i7,schemaPath:"#/properties/shared_keys/items/required",keyword:"required",params:{missingProperty: "candidate"}};
if(vErrors === null){
vErrors = [err341];
}
else {
vErrors.push(err341);
}
errors++;
}
if(data125.comparator === undefined){
const err342 = {instancePath:instancePath+"/shared_keys/" + i7,schemaPath:"#/properties/shared_keys/items/required",keyword:"required",params:{missingProperty: "comparator"}};
if(vErrors === null){
vErrors = [err342];
}
else {
vErrors.push(err342);
}
errors++;
}
if(data125.horizon === undefined){
const err343 = {instancePath:instancePath+"/shared_keys/" + i7,schemaPath:"#/properties/shared_keys/items/required",keyword:"required",params:{missingProperty: "horizon"}};
if(vErrors === null){
vErrors = [err343];
}
else {
vErrors.push(err343);
}
errors++;
}
if(data125.stratum === undefined){
const err344 = {instancePath:instancePath+"/shared_keys/" + i7,schemaPath:"#/properties/shared_keys/items/required",keyword:"required",params:{missingProperty: "stratum"}};
if(vErrors === null){
vErrors = [err344];
}
else {
vErrors.push(err344);
}
errors++;
}
if(data125.expected === undefined){
const err345 = {instancePath:instancePath+"/shared_keys/" + i7,schemaPath:"#/properties/shared_keys/items/required",keyword:"required",params:{missingProperty: "expected"}};
if(vErrors === null){
vErrors = [err345];
}
else {
vErrors.push(err345);
}
errors++;
}
if(data125.shared === undefined){
const err346 = {instancePath:instancePath+"/shared_keys/" + i7,schemaPath:"#/properties/shared_keys/items/required",keyword:"required",params:{missingProperty: "shared"}};
if(vErrors === null){
vErrors = [err346];
}
else {
vErrors.push(err346);
}
errors++;
}
if(data125.lost === undefined){
const err347 = {instancePath:instancePath+"/shared_keys/" + i7,schemaPath:"#/properties/shared_keys/items/required",keyword:"required",params:{missingProperty: "lost"}};
if(vErrors === null){
vErrors = [err347];
}
else {
vErrors.push(err347);
}
errors++;
}
for(const key25 in data125){
if(!(((((((key25 === "candidate") || (key25 === "comparator")) || (key25 === "horizon")) || (key25 === "stratum")) || (key25 === "expected")) || (key25 === "shared")) || (key25 === "lost"))){
const err348 = {instancePath:instancePath+"/shared_keys/" + i7,schemaPath:"#/properties/shared_keys/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key25}};
if(vErrors === null){
vErrors = [err348];
}
else {
vErrors.push(err348);
}
errors++;
}
}
if(data125.candidate !== undefined){
let data126 = data125.candidate;
if(typeof data126 === "string"){
if(data126.length < 1){
const err349 = {instancePath:instancePath+"/shared_keys/" + i7+"/candidate",schemaPath:"#/properties/shared_keys/items/properties/candidate/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err349];
}
else {
vErrors.push(err349);
}
errors++;
}
}
else {
const err350 = {instancePath:instancePath+"/shared_keys/" + i7+"/candidate",schemaPath:"#/properties/shared_keys/items/properties/candidate/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err350];
}
else {
vErrors.push(err350);
}
errors++;
}
}
if(data125.comparator !== undefined){
let data127 = data125.comparator;
if(typeof data127 === "string"){
if(data127.length < 1){
const err351 = {instancePath:instancePath+"/shared_keys/" + i7+"/comparator",schemaPath:"#/properties/shared_keys/items/properties/comparator/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err351];
}
else {
vErrors.push(err351);
}
errors++;
}
}
else {
const err352 = {instancePath:instancePath+"/shared_keys/" + i7+"/comparator",schemaPath:"#/properties/shared_keys/items/properties/comparator/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err352];
}
else {
vErrors.push(err352);
}
errors++;
}
}
if(data125.horizon !== undefined){
let data128 = data125.horizon;
if(!(((typeof data128 == "number") && (!(data128 % 1) && !isNaN(data128))) && (isFinite(data128)))){
const err353 = {instancePath:instancePath+"/shared_keys/" + i7+"/horizon",schemaPath:"#/properties/shared_keys/items/properties/horizon/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err353];
}
else {
vErrors.push(err353);
}
errors++;
}
if((typeof data128 == "number") && (isFinite(data128))){
if(data128 < 1 || isNaN(data128)){
const err354 = {instancePath:instancePath+"/shared_keys/" + i7+"/horizon",schemaPath:"#/properties/shared_keys/items/properties/horizon/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err354];
}
else {
vErrors.push(err354);
}
errors++;
}
}
}
if(data125.stratum !== undefined){
let data129 = data125.stratum;
const _errs304 = errors;
let valid50 = false;
const _errs305 = errors;
if("all" !== data129){
const err355 = {instancePath:instancePath+"/shared_keys/" + i7+"/stratum",schemaPath:"#/properties/shared_keys/items/properties/stratum/anyOf/0/const",keyword:"const",params:{allowedValue: "all"}};
if(vErrors === null){
vErrors = [err355];
}
else {
vErrors.push(err355);
}
errors++;
}
var _valid8 = _errs305 === errors;
valid50 = valid50 || _valid8;
const _errs306 = errors;
if(data129 && typeof data129 == "object" && !Array.isArray(data129)){
if(data129.name === undefined){
const err356 = {instancePath:instancePath+"/shared_keys/" + i7+"/stratum",schemaPath:"#/properties/shared_keys/items/properties/stratum/anyOf/1/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err356];
}
else {
vErrors.push(err356);
}
errors++;
}
if(data129.level === undefined){
const err357 = {instancePath:instancePath+"/shared_keys/" + i7+"/stratum",schemaPath:"#/properties/shared_keys/items/properties/stratum/anyOf/1/required",keyword:"required",params:{missingProperty: "level"}};
if(vErrors === null){
vErrors = [err357];
}
else {
vErrors.push(err357);
}
errors++;
}
for(const key26 in data129){
if(!((key26 === "name") || (key26 === "level"))){
const err358 = {instancePath:instancePath+"/shared_keys/" + i7+"/stratum",schemaPath:"#/properties/shared_keys/items/properties/stratum/anyOf/1/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key26}};
if(vErrors === null){
vErrors = [err358];
}
else {
vErrors.push(err358);
}
errors++;
}
}
if(data129.name !== undefined){
let data130 = data129.name;
if(typeof data130 === "string"){
if(data130.length < 1){
const err359 = {instancePath:instancePath+"/shared_keys/" + i7+"/stratum/name",schemaPath:"#/properties/shared_keys/items/properties/stratum/anyOf/1/properties/name/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err359];
}
else {
vErrors.push(err359);
}
errors++;
}
}
else {
const err360 = {instancePath:instancePath+"/shared_keys/" + i7+"/stratum/name",schemaPath:"#/properties/shared_keys/items/properties/stratum/anyOf/1/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err360];
}
else {
vErrors.push(err360);
}
errors++;
}
}
if(data129.level !== undefined){
let data131 = data129.level;
if(typeof data131 === "string"){
if(data131.length < 1){
const err361 = {instancePath:instancePath+"/shared_keys/" + i7+"/stratum/level",schemaPath:"#/properties/shared_keys/items/properties/stratum/anyOf/1/properties/level/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err361];
}
else {
vErrors.push(err361);
}
errors++;
}
}
else {
const err362 = {instancePath:instancePath+"/shared_keys/" + i7+"/stratum/level",schemaPath:"#/properties/shared_keys/items/properties/stratum/anyOf/1/properties/level/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err362];
}
else {
vErrors.push(err362);
}
errors++;
}
}
}
else {
const err363 = {instancePath:instancePath+"/shared_keys/" + i7+"/stratum",schemaPath:"#/properties/shared_keys/items/properties/stratum/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err363];
}
else {
vErrors.push(err363);
}
errors++;
}
var _valid8 = _errs306 === errors;
valid50 = valid50 || _valid8;
if(!valid50){
const err364 = {instancePath:instancePath+"/shared_keys/" + i7+"/stratum",schemaPath:"#/properties/shared_keys/items/properties/stratum/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err364];
}
else {
vErrors.push(err364);
}
errors++;
}
else {
errors = _errs304;
if(vErrors !== null){
if(_errs304){
vErrors.length = _errs304;
}
else {
vErrors = null;
}
}
}
}
if(data125.expected !== undefined){
let data132 = data125.expected;
if(!(((typeof data132 == "number") && (!(data132 % 1) && !isNaN(data132))) && (isFinite(data132)))){
const err365 = {instancePath:instancePath+"/shared_keys/" + i7+"/expected",schemaPath:"#/properties/shared_keys/items/properties/expected/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err365];
}
else {
vErrors.push(err365);
}
errors++;
}
if((typeof data132 == "number") && (isFinite(data132))){
if(data132 < 0 || isNaN(data132)){
const err366 = {instancePath:instancePath+"/shared_keys/" + i7+"/expected",schemaPath:"#/properties/shared_keys/items/properties/expected/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err366];
}
else {
vErrors.push(err366);
}
errors++;
}
}
}
if(data125.shared !== undefined){
let data133 = data125.shared;
if(!(((typeof data133 == "number") && (!(data133 % 1) && !isNaN(data133))) && (isFinite(data133)))){
const err367 = {instancePath:instancePath+"/shared_keys/" + i7+"/shared",schemaPath:"#/properties/shared_keys/items/properties/shared/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err367];
}
else {
vErrors.push(err367);
}
errors++;
}
if((typeof data133 == "number") && (isFinite(data133))){
if(data133 < 0 || isNaN(data133)){
const err368 = {instancePath:instancePath+"/shared_keys/" + i7+"/shared",schemaPath:"#/properties/shared_keys/items/properties/shared/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err368];
}
else {
vErrors.push(err368);
}
errors++;
}
}
}
if(data125.lost !== undefined){
let data134 = data125.lost;
if(data134 && typeof data134 == "object" && !Array.isArray(data134)){
if(data134.candidate_not_scored === undefined){
const err369 = {instancePath:instancePath+"/shared_keys/" + i7+"/lost",schemaPath:"#/properties/shared_keys/items/properties/lost/required",keyword:"required",params:{missingProperty: "candidate_not_scored"}};
if(vErrors === null){
vErrors = [err369];
}
else {
vErrors.push(err369);
}
errors++;
}
if(data134.comparator_not_scored === undefined){
const err370 = {instancePath:instancePath+"/shared_keys/" + i7+"/lost",schemaPath:"#/properties/shared_keys/items/properties/lost/required",keyword:"required",params:{missingProperty: "comparator_not_scored"}};
if(vErrors === null){
vErrors = [err370];
}
else {
vErrors.push(err370);
}
errors++;
}
if(data134.neither_scored === undefined){
const err371 = {instancePath:instancePath+"/shared_keys/" + i7+"/lost",schemaPath:"#/properties/shared_keys/items/properties/lost/required",keyword:"required",params:{missingProperty: "neither_scored"}};
if(vErrors === null){
vErrors = [err371];
}
else {
vErrors.push(err371);
}
errors++;
}
if(data134.vintage_mismatch === undefined){
const err372 = {instancePath:instancePath+"/shared_keys/" + i7+"/lost",schemaPath:"#/properties/shared_keys/items/properties/lost/required",keyword:"required",params:{missingProperty: "vintage_mismatch"}};
if(vErrors === null){
vErrors = [err372];
}
else {
vErrors.push(err372);
}
errors++;
}
for(const key27 in data134){
if(!((((key27 === "candidate_not_scored") || (key27 === "comparator_not_scored")) || (key27 === "neither_scored")) || (key27 === "vintage_mismatch"))){
const err373 = {instancePath:instancePath+"/shared_keys/" + i7+"/lost",schemaPath:"#/properties/shared_keys/items/properties/lost/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key27}};
if(vErrors === null){
vErrors = [err373];
}
else {
vErrors.push(err373);
}
errors++;
}
}
if(data134.candidate_not_scored !== undefined){
let data135 = data134.candidate_not_scored;
if(!(((typeof data135 == "number") && (!(data135 % 1) && !isNaN(data135))) && (isFinite(data135)))){
const err374 = {instancePath:instancePath+"/shared_keys/" + i7+"/lost/candidate_not_scored",schemaPath:"#/properties/shared_keys/items/properties/lost/properties/candidate_not_scored/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err374];
}
else {
vErrors.push(err374);
}
errors++;
}
if((typeof data135 == "number") && (isFinite(data135))){
if(data135 < 0 || isNaN(data135)){
const err375 = {instancePath:instancePath+"/shared_keys/" + i7+"/lost/candidate_not_scored",schemaPath:"#/properties/shared_keys/items/properties/lost/properties/candidate_not_scored/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err375];
}
else {
vErrors.push(err375);
}
errors++;
}
}
}
if(data134.comparator_not_scored !== undefined){
let data136 = data134.comparator_not_scored;
if(!(((typeof data136 == "number") && (!(data136 % 1) && !isNaN(data136))) && (isFinite(data136)))){
const err376 = {instancePath:instancePath+"/shared_keys/" + i7+"/lost/comparator_not_scored",schemaPath:"#/properties/shared_keys/items/properties/lost/properties/comparator_not_scored/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err376];
}
else {
vErrors.push(err376);
}
errors++;
}
if((typeof data136 == "number") && (isFinite(data136))){
if(data136 < 0 || isNaN(data136)){
const err377 = {instancePath:instancePath+"/shared_keys/" + i7+"/lost/comparator_not_scored",schemaPath:"#/properties/shared_keys/items/properties/lost/properties/comparator_not_scored/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err377];
}
else {
vErrors.push(err377);
}
errors++;
}
}
}
if(data134.neither_scored !== undefined){
let data137 = data134.neither_scored;
if(!(((typeof data137 == "number") && (!(data137 % 1) && !isNaN(data137))) && (isFinite(data137)))){
const err378 = {instancePath:instancePath+"/shared_keys/" + i7+"/lost/neither_scored",schemaPath:"#/properties/shared_keys/items/properties/lost/properties/neither_scored/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err378];
}
else {
vErrors.push(err378);
}
errors++;
}
if((typeof data137 == "number") && (isFinite(data137))){
if(data137 < 0 || isNaN(data137)){
const err379 = {instancePath:instancePath+"/shared_keys/" + i7+"/lost/neither_scored",schemaPath:"#/properties/shared_keys/items/properties/lost/properties/neither_scored/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err379];
}
else {
vErrors.push(err379);
}
errors++;
}
}
}
if(data134.vintage_mismatch !== undefined){
let data138 = data134.vintage_mismatch;
if(!(((typeof data138 == "number") && (!(data138 % 1) && !isNaN(data138))) && (isFinite(data138)))){
const err380 = {instancePath:instancePath+"/shared_keys/" + i7+"/lost/vintage_mismatch",schemaPath:"#/properties/shared_keys/items/properties/lost/properties/vintage_mismatch/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err380];
}
else {
vErrors.push(err380);
}
errors++;
}
if((typeof data138 == "number") && (isFinite(data138))){
if(data138 < 0 || isNaN(data138)){
const err381 = {instancePath:instancePath+"/shared_keys/" + i7+"/lost/vintage_mismatch",schemaPath:"#/properties/shared_keys/items/properties/lost/properties/vintage_mismatch/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err381];
}
else {
vErrors.push(err381);
}
errors++;
}
}
}
}
else {
const err382 = {instancePath:instancePath+"/shared_keys/" + i7+"/lost",schemaPath:"#/properties/shared_keys/items/properties/lost/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err382];
}
else {
vErrors.push(err382);
}
errors++;
}
}
}
else {
const err383 = {instancePath:instancePath+"/shared_keys/" + i7,schemaPath:"#/properties/shared_keys/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err383];
}
else {
vErrors.push(err383);
}
errors++;
}
}
}
else {
const err384 = {instancePath:instancePath+"/shared_keys",schemaPath:"#/properties/shared_keys/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err384];
}
else {
vErrors.push(err384);
}
errors++;
}
}
if(data.family !== undefined){
let data139 = data.family;
if(data139 && typeof data139 == "object" && !Array.isArray(data139)){
if(data139.size === undefined){
const err385 = {instancePath:instancePath+"/family",schemaPath:"#/properties/family/required",keyword:"required",params:{missingProperty: "size"}};
if(vErrors === null){
vErrors = [err385];
}
else {
vErrors.push(err385);
}
errors++;
}
if(data139.sha256 === undefined){
const err386 = {instancePath:instancePath+"/family",schemaPath:"#/properties/family/required",keyword:"required",params:{missingProperty: "sha256"}};
if(vErrors === null){
vErrors = [err386];
}
else {
vErrors.push(err386);
}
errors++;
}
if(data139.rejected === undefined){
const err387 = {instancePath:instancePath+"/family",schemaPath:"#/properties/family/required",keyword:"required",params:{missingProperty: "rejected"}};
if(vErrors === null){
vErrors = [err387];
}
else {
vErrors.push(err387);
}
errors++;
}
if(data139.blocked === undefined){
const err388 = {instancePath:instancePath+"/family",schemaPath:"#/properties/family/required",keyword:"required",params:{missingProperty: "blocked"}};
if(vErrors === null){
vErrors = [err388];
}
else {
vErrors.push(err388);
}
errors++;
}
for(const key28 in data139){
if(!((((key28 === "size") || (key28 === "sha256")) || (key28 === "rejected")) || (key28 === "blocked"))){
const err389 = {instancePath:instancePath+"/family",schemaPath:"#/properties/family/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key28}};
if(vErrors === null){
vErrors = [err389];
}
else {
vErrors.push(err389);
}
errors++;
}
}
if(data139.size !== undefined){
let data140 = data139.size;
if(!(((typeof data140 == "number") && (!(data140 % 1) && !isNaN(data140))) && (isFinite(data140)))){
const err390 = {instancePath:instancePath+"/family/size",schemaPath:"#/properties/family/properties/size/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err390];
}
else {
vErrors.push(err390);
}
errors++;
}
if((typeof data140 == "number") && (isFinite(data140))){
if(data140 < 0 || isNaN(data140)){
const err391 = {instancePath:instancePath+"/family/size",schemaPath:"#/properties/family/properties/size/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err391];
}
else {
vErrors.push(err391);
}
errors++;
}
}
}
if(data139.sha256 !== undefined){
let data141 = data139.sha256;
if(typeof data141 === "string"){
if(!pattern3.test(data141)){
const err392 = {instancePath:instancePath+"/family/sha256",schemaPath:"#/properties/family/properties/sha256/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"}};
if(vErrors === null){
vErrors = [err392];
}
else {
vErrors.push(err392);
}
errors++;
}
}
else {
const err393 = {instancePath:instancePath+"/family/sha256",schemaPath:"#/properties/family/properties/sha256/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err393];
}
else {
vErrors.push(err393);
}
errors++;
}
}
if(data139.rejected !== undefined){
let data142 = data139.rejected;
if(!(((typeof data142 == "number") && (!(data142 % 1) && !isNaN(data142))) && (isFinite(data142)))){
const err394 = {instancePath:instancePath+"/family/rejected",schemaPath:"#/properties/family/properties/rejected/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err394];
}
else {
vErrors.push(err394);
}
errors++;
}
if((typeof data142 == "number") && (isFinite(data142))){
if(data142 < 0 || isNaN(data142)){
const err395 = {instancePath:instancePath+"/family/rejected",schemaPath:"#/properties/family/properties/rejected/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err395];
}
else {
vErrors.push(err395);
}
errors++;
}
}
}
if(data139.blocked !== undefined){
let data143 = data139.blocked;
if(!(((typeof data143 == "number") && (!(data143 % 1) && !isNaN(data143))) && (isFinite(data143)))){
const err396 = {instancePath:instancePath+"/family/blocked",schemaPath:"#/properties/family/properties/blocked/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err396];
}
else {
vErrors.push(err396);
}
errors++;
}
if((typeof data143 == "number") && (isFinite(data143))){
if(data143 < 0 || isNaN(data143)){
const err397 = {instancePath:instancePath+"/family/blocked",schemaPath:"#/properties/family/properties/blocked/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err397];
}
else {
vErrors.push(err397);
}
errors++;
}
}
}
}
else {
const err398 = {instancePath:instancePath+"/family",schemaPath:"#/properties/family/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err398];
}
else {
vErrors.push(err398);
}
errors++;
}
}
if(data.tests !== undefined){
let data144 = data.tests;
if(Array.isArray(data144)){
const len8 = data144.length;
for(let i8=0; i8<len8; i8++){
let data145 = data144[i8];
if(data145 && typeof data145 == "object" && !Array.isArray(data145)){
if(data145.name === undefined){
const err399 = {instancePath:instancePath+"/tests/" + i8,schemaPath:"#/properties/tests/items/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err399];
}
else {
vErrors.push(err399);
}
errors++;
}
if(data145.candidate === undefined){
const err400 = {instancePath:instancePath+"/tests/" + i8,schemaPath:"#/properties/tests/items/required",keyword:"required",params:{missingProperty: "candidate"}};
if(vErrors === null){
vErrors = [err400];
}
else {
vErrors.push(err400);
}
errors++;
}
if(data145.comparator === undefined){
const err401 = {instancePath:instancePath+"/tests/" + i8,schemaPath:"#/properties/tests/items/required",keyword:"required",params:{missingProperty: "comparator"}};
if(vErrors === null){
vErrors = [err401];
}
else {
vErrors.push(err401);
}
errors++;
}
if(data145.measure === undefined){
const err402 = {instancePath:instancePath+"/tests/" + i8,schemaPath:"#/properties/tests/items/required",keyword:"required",params:{missingProperty: "measure"}};
if(vErrors === null){
vErrors = [err402];
}
else {
vErrors.push(err402);
}
errors++;
}
if(data145.horizon === undefined){
const err403 = {instancePath:instancePath+"/tests/" + i8,schemaPath:"#/properties/tests/items/required",keyword:"required",params:{missingProperty: "horizon"}};
if(vErrors === null){
vErrors = [err403];
}
else {
vErrors.push(err403);
}
errors++;
}
if(data145.stratum === undefined){
const err404 = {instancePath:instancePath+"/tests/" + i8,schemaPath:"#/properties/tests/items/required",keyword:"required",params:{missingProperty: "stratum"}};
if(vErrors === null){
vErrors = [err404];
}
else {
vErrors.push(err404);
}
errors++;
}
if(data145.decides === undefined){
const err405 = {instancePath:instancePath+"/tests/" + i8,schemaPath:"#/properties/tests/items/required",keyword:"required",params:{missingProperty: "decides"}};
if(vErrors === null){
vErrors = [err405];
}
else {
vErrors.push(err405);
}
errors++;
}
if(data145.pairs === undefined){
const err406 = {instancePath:instancePath+"/tests/" + i8,schemaPath:"#/properties/tests/items/required",keyword:"required",params:{missingProperty: "pairs"}};
if(vErrors === null){
vErrors = [err406];
}
else {
vErrors.push(err406);
}
errors++;
}
if(data145.effective_blocks === undefined){
const err407 = {instancePath:instancePath+"/tests/" + i8,schemaPath:"#/properties/tests/items/required",keyword:"required",params:{missingProperty: "effective_blocks"}};
if(vErrors === null){
vErrors = [err407];
}
else {
vErrors.push(err407);
}
errors++;
}
if(data145.observed === undefined){
const err408 = {instancePath:instancePath+"/tests/" + i8,schemaPath:"#/properties/tests/items/required",keyword:"required",params:{missingProperty: "observed"}};
if(vErrors === null){
vErrors = [err408];
}
else {
vErrors.push(err408);
}
errors++;
}
if(data145.comparator_mean === undefined){
const err409 = {instancePath:instancePath+"/tests/" + i8,schemaPath:"#/properties/tests/items/required",keyword:"required",params:{missingProperty: "comparator_mean"}};
if(vErrors === null){
vErrors = [err409];
}
else {
vErrors.push(err409);
}
errors++;
}
if(data145.bounds === undefined){
const err410 = {instancePath:instancePath+"/tests/" + i8,schemaPath:"#/properties/tests/items/required",keyword:"required",params:{missingProperty: "bounds"}};
if(vErrors === null){
vErrors = [err410];
}
else {
vErrors.push(err410);
}
errors++;
}
if(data145.standard_error === undefined){
const err411 = {instancePath:instancePath+"/tests/" + i8,schemaPath:"#/properties/tests/items/required",keyword:"required",params:{missingProperty: "standard_error"}};
if(vErrors === null){
vErrors = [err411];
}
else {
vErrors.push(err411);
}
errors++;
}
if(data145.p === undefined){
const err412 = {instancePath:instancePath+"/tests/" + i8,schemaPath:"#/properties/tests/items/required",keyword:"required",params:{missingProperty: "p"}};
if(vErrors === null){
vErrors = [err412];
}
else {
vErrors.push(err412);
}
errors++;
}
if(data145.rank === undefined){
const err413 = {instancePath:instancePath+"/tests/" + i8,schemaPath:"#/properties/tests/items/required",keyword:"required",params:{missingProperty: "rank"}};
if(vErrors === null){
vErrors = [err413];
}
else {
vErrors.push(err413);
}
errors++;
}
if(data145.multiplier === undefined){
const err414 = {instancePath:instancePath+"/tests/" + i8,schemaPath:"#/properties/tests/items/required",keyword:"required",params:{missingProperty: "multiplier"}};
if(vErrors === null){
vErrors = [err414];
}
else {
vErrors.push(err414);
}
errors++;
}
if(data145.p_adjusted === undefined){
const err415 = {instancePath:instancePath+"/tests/" + i8,schemaPath:"#/properties/tests/items/required",keyword:"required",params:{missingProperty: "p_adjusted"}};
if(vErrors === null){
vErrors = [err415];
}
else {
vErrors.push(err415);
}
errors++;
}
if(data145.bounds_adjusted === undefined){
const err416 = {instancePath:instancePath+"/tests/" + i8,schemaPath:"#/properties/tests/items/required",keyword:"required",params:{missingProperty: "bounds_adjusted"}};
if(vErrors === null){
vErrors = [err416];
}
else {
vErrors.push(err416);
}
errors++;
}
if(data145.decision === undefined){
const err417 = {instancePath:instancePath+"/tests/" + i8,schemaPath:"#/properties/tests/items/required",keyword:"required",params:{missingProperty: "decision"}};
if(vErrors === null){
vErrors = [err417];
}
else {
vErrors.push(err417);
}
errors++;
}
if(data145.blocked_reasons === undefined){
const err418 = {instancePath:instancePath+"/tests/" + i8,schemaPath:"#/properties/tests/items/required",keyword:"required",params:{missingProperty: "blocked_reasons"}};
if(vErrors === null){
vErrors = [err418];
}
else {
vErrors.push(err418);
}
errors++;
}
for(const key29 in data145){
if(!(func1.call(schema20.properties.tests.items.properties, key29))){
const err419 = {instancePath:instancePath+"/tests/" + i8,schemaPath:"#/properties/tests/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key29}};
if(vErrors === null){
vErrors = [err419];
}
else {
vErrors.push(err419);
}
errors++;
}
}
if(data145.name !== undefined){
let data146 = data145.name;
if(typeof data146 === "string"){
if(data146.length < 1){
const err420 = {instancePath:instancePath+"/tests/" + i8+"/name",schemaPath:"#/properties/tests/items/properties/name/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err420];
}
else {
vErrors.push(err420);
}
errors++;
}
}
else {
const err421 = {instancePath:instancePath+"/tests/" + i8+"/name",schemaPath:"#/properties/tests/items/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err421];
}
else {
vErrors.push(err421);
}
errors++;
}
}
if(data145.candidate !== undefined){
let data147 = data145.candidate;
if(typeof data147 === "string"){
if(data147.length < 1){
const err422 = {instancePath:instancePath+"/tests/" + i8+"/candidate",schemaPath:"#/properties/tests/items/properties/candidate/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err422];
}
else {
vErrors.push(err422);
}
errors++;
}
}
else {
const err423 = {instancePath:instancePath+"/tests/" + i8+"/candidate",schemaPath:"#/properties/tests/items/properties/candidate/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err423];
}
else {
vErrors.push(err423);
}
errors++;
}
}
if(data145.comparator !== undefined){
let data148 = data145.comparator;
if(typeof data148 === "string"){
if(data148.length < 1){
const err424 = {instancePath:instancePath+"/tests/" + i8+"/comparator",schemaPath:"#/properties/tests/items/properties/comparator/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err424];
}
else {
vErrors.push(err424);
}
errors++;
}
}
else {
const err425 = {instancePath:instancePath+"/tests/" + i8+"/comparator",schemaPath:"#/properties/tests/items/properties/comparator/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err425];
}
else {
vErrors.push(err425);
}
errors++;
}
}
if(data145.measure !== undefined){
let data149 = data145.measure;
if(!(((((((data149 === "point_loss") || (data149 === "direction_error")) || (data149 === "interval_score")) || (data149 === "pinball_0.1")) || (data149 === "pinball_0.5")) || (data149 === "pinball_0.9")) || (data149 === "coverage"))){
const err426 = {instancePath:instancePath+"/tests/" + i8+"/measure",schemaPath:"#/properties/tests/items/properties/measure/enum",keyword:"enum",params:{allowedValues: schema20.properties.tests.items.properties.measure.enum}};
if(vErrors === null){
vErrors = [err426];
}
else {
vErrors.push(err426);
}
errors++;
}
}
if(data145.horizon !== undefined){
let data150 = data145.horizon;
const _errs352 = errors;
let valid57 = false;
const _errs353 = errors;
if(!(((typeof data150 == "number") && (!(data150 % 1) && !isNaN(data150))) && (isFinite(data150)))){
const err427 = {instancePath:instancePath+"/tests/" + i8+"/horizon",schemaPath:"#/properties/tests/items/properties/horizon/anyOf/0/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err427];
}
else {
vErrors.push(err427);
}
errors++;
}
if((typeof data150 == "number") && (isFinite(data150))){
if(data150 < 1 || isNaN(data150)){
const err428 = {instancePath:instancePath+"/tests/" + i8+"/horizon",schemaPath:"#/properties/tests/items/properties/horizon/anyOf/0/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err428];
}
else {
vErrors.push(err428);
}
errors++;
}
}
var _valid9 = _errs353 === errors;
valid57 = valid57 || _valid9;
const _errs355 = errors;
if("overall" !== data150){
const err429 = {instancePath:instancePath+"/tests/" + i8+"/horizon",schemaPath:"#/properties/tests/items/properties/horizon/anyOf/1/const",keyword:"const",params:{allowedValue: "overall"}};
if(vErrors === null){
vErrors = [err429];
}
else {
vErrors.push(err429);
}
errors++;
}
var _valid9 = _errs355 === errors;
valid57 = valid57 || _valid9;
if(!valid57){
const err430 = {instancePath:instancePath+"/tests/" + i8+"/horizon",schemaPath:"#/properties/tests/items/properties/horizon/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err430];
}
else {
vErrors.push(err430);
}
errors++;
}
else {
errors = _errs352;
if(vErrors !== null){
if(_errs352){
vErrors.length = _errs352;
}
else {
vErrors = null;
}
}
}
}
if(data145.stratum !== undefined){
let data151 = data145.stratum;
const _errs357 = errors;
let valid58 = false;
const _errs358 = errors;
if("all" !== data151){
const err431 = {instancePath:instancePath+"/tests/" + i8+"/stratum",schemaPath:"#/properties/tests/items/properties/stratum/anyOf/0/const",keyword:"const",params:{allowedValue: "all"}};
if(vErrors === null){
vErrors = [err431];
}
else {
vErrors.push(err431);
}
errors++;
}
var _valid10 = _errs358 === errors;
valid58 = valid58 || _valid10;
const _errs359 = errors;
if(data151 && typeof data151 == "object" && !Array.isArray(data151)){
if(data151.name === undefined){
const err432 = {instancePath:instancePath+"/tests/" + i8+"/stratum",schemaPath:"#/properties/tests/items/properties/stratum/anyOf/1/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err432];
}
else {
vErrors.push(err432);
}
errors++;
}
if(data151.level === undefined){
const err433 = {instancePath:instancePath+"/tests/" + i8+"/stratum",schemaPath:"#/properties/tests/items/properties/stratum/anyOf/1/required",keyword:"required",params:{missingProperty: "level"}};
if(vErrors === null){
vErrors = [err433];
}
else {
vErrors.push(err433);
}
errors++;
}
for(const key30 in data151){
if(!((key30 === "name") || (key30 === "level"))){
const err434 = {instancePath:instancePath+"/tests/" + i8+"/stratum",schemaPath:"#/properties/tests/items/properties/stratum/anyOf/1/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key30}};
if(vErrors === null){
vErrors = [err434];
}
else {
vErrors.push(err434);
}
errors++;
}
}
if(data151.name !== undefined){
let data152 = data151.name;
if(typeof data152 === "string"){
if(data152.length < 1){
const err435 = {instancePath:instancePath+"/tests/" + i8+"/stratum/name",schemaPath:"#/properties/tests/items/properties/stratum/anyOf/1/properties/name/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err435];
}
else {
vErrors.push(err435);
}
errors++;
}
}
else {
const err436 = {instancePath:instancePath+"/tests/" + i8+"/stratum/name",schemaPath:"#/properties/tests/items/properties/stratum/anyOf/1/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err436];
}
else {
vErrors.push(err436);
}
errors++;
}
}
if(data151.level !== undefined){
let data153 = data151.level;
if(typeof data153 === "string"){
if(data153.length < 1){
const err437 = {instancePath:instancePath+"/tests/" + i8+"/stratum/level",schemaPath:"#/properties/tests/items/properties/stratum/anyOf/1/properties/level/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err437];
}
else {
vErrors.push(err437);
}
errors++;
}
}
else {
const err438 = {instancePath:instancePath+"/tests/" + i8+"/stratum/level",schemaPath:"#/properties/tests/items/properties/stratum/anyOf/1/properties/level/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err438];
}
else {
vErrors.push(err438);
}
errors++;
}
}
}
else {
const err439 = {instancePath:instancePath+"/tests/" + i8+"/stratum",schemaPath:"#/properties/tests/items/properties/stratum/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err439];
}
else {
vErrors.push(err439);
}
errors++;
}
var _valid10 = _errs359 === errors;
valid58 = valid58 || _valid10;
if(!valid58){
const err440 = {instancePath:instancePath+"/tests/" + i8+"/stratum",schemaPath:"#/properties/tests/items/properties/stratum/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err440];
}
else {
vErrors.push(err440);
}
errors++;
}
else {
errors = _errs357;
if(vErrors !== null){
if(_errs357){
vErrors.length = _errs357;
}
else {
vErrors = null;
}
}
}
}
if(data145.decides !== undefined){
if(typeof data145.decides !== "boolean"){
const err441 = {instancePath:instancePath+"/tests/" + i8+"/decides",schemaPath:"#/properties/tests/items/properties/decides/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err441];
}
else {
vErrors.push(err441);
}
errors++;
}
}
if(data145.pairs !== undefined){
let data155 = data145.pairs;
if(!(((typeof data155 == "number") && (!(data155 % 1) && !isNaN(data155))) && (isFinite(data155)))){
const err442 = {instancePath:instancePath+"/tests/" + i8+"/pairs",schemaPath:"#/properties/tests/items/properties/pairs/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err442];
}
else {
vErrors.push(err442);
}
errors++;
}
if((typeof data155 == "number") && (isFinite(data155))){
if(data155 < 0 || isNaN(data155)){
const err443 = {instancePath:instancePath+"/tests/" + i8+"/pairs",schemaPath:"#/properties/tests/items/properties/pairs/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err443];
}
else {
vErrors.push(err443);
}
errors++;
}
}
}
if(data145.effective_blocks !== undefined){
let data156 = data145.effective_blocks;
if(!(((typeof data156 == "number") && (!(data156 % 1) && !isNaN(data156))) && (isFinite(data156)))){
const err444 = {instancePath:instancePath+"/tests/" + i8+"/effective_blocks",schemaPath:"#/properties/tests/items/properties/effective_blocks/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err444];
}
else {
vErrors.push(err444);
}
errors++;
}
if((typeof data156 == "number") && (isFinite(data156))){
if(data156 < 0 || isNaN(data156)){
const err445 = {instancePath:instancePath+"/tests/" + i8+"/effective_blocks",schemaPath:"#/properties/tests/items/properties/effective_blocks/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err445];
}
else {
vErrors.push(err445);
}
errors++;
}
}
}
if(data145.observed !== undefined){
let data157 = data145.observed;
if((!((typeof data157 == "number") && (isFinite(data157)))) && (data157 !== null)){
const err446 = {instancePath:instancePath+"/tests/" + i8+"/observed",schemaPath:"#/properties/tests/items/properties/observed/type",keyword:"type",params:{type: schema20.properties.tests.items.properties.observed.type}};
if(vErrors === null){
vErrors = [err446];
}
else {
vErrors.push(err446);
}
errors++;
}
}
if(data145.comparator_mean !== undefined){
let data158 = data145.comparator_mean;
if((!((typeof data158 == "number") && (isFinite(data158)))) && (data158 !== null)){
const err447 = {instancePath:instancePath+"/tests/" + i8+"/comparator_mean",schemaPath:"#/properties/tests/items/properties/comparator_mean/type",keyword:"type",params:{type: schema20.properties.tests.items.properties.comparator_mean.type}};
if(vErrors === null){
vErrors = [err447];
}
else {
vErrors.push(err447);
}
errors++;
}
}
if(data145.bounds !== undefined){
let data159 = data145.bounds;
const _errs377 = errors;
let valid60 = false;
const _errs378 = errors;
if(data159 && typeof data159 == "object" && !Array.isArray(data159)){
if(data159.lower === undefined){
const err448 = {instancePath:instancePath+"/tests/" + i8+"/bounds",schemaPath:"#/properties/tests/items/properties/bounds/anyOf/0/required",keyword:"required",params:{missingProperty: "lower"}};
if(vErrors === null){
vErrors = [err448];
}
else {
vErrors.push(err448);
}
errors++;
}
if(data159.upper === undefined){
const err449 = {instancePath:instancePath+"/tests/" + i8+"/bounds",schemaPath:"#/properties/tests/items/properties/bounds/anyOf/0/required",keyword:"required",params:{missingProperty: "upper"}};
if(vErrors === null){
vErrors = [err449];
}
else {
vErrors.push(err449);
}
errors++;
}
for(const key31 in data159){
if(!((key31 === "lower") || (key31 === "upper"))){
const err450 = {instancePath:instancePath+"/tests/" + i8+"/bounds",schemaPath:"#/properties/tests/items/properties/bounds/anyOf/0/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key31}};
if(vErrors === null){
vErrors = [err450];
}
else {
vErrors.push(err450);
}
errors++;
}
}
if(data159.lower !== undefined){
let data160 = data159.lower;
if(!((typeof data160 == "number") && (isFinite(data160)))){
const err451 = {instancePath:instancePath+"/tests/" + i8+"/bounds/lower",schemaPath:"#/properties/tests/items/properties/bounds/anyOf/0/properties/lower/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err451];
}
else {
vErrors.push(err451);
}
errors++;
}
}
if(data159.upper !== undefined){
let data161 = data159.upper;
if(!((typeof data161 == "number") && (isFinite(data161)))){
const err452 = {instancePath:instancePath+"/tests/" + i8+"/bounds/upper",schemaPath:"#/properties/tests/items/properties/bounds/anyOf/0/properties/upper/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err452];
}
else {
vErrors.push(err452);
}
errors++;
}
}
}
else {
const err453 = {instancePath:instancePath+"/tests/" + i8+"/bounds",schemaPath:"#/properties/tests/items/properties/bounds/anyOf/0/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err453];
}
else {
vErrors.push(err453);
}
errors++;
}
var _valid11 = _errs378 === errors;
valid60 = valid60 || _valid11;
const _errs385 = errors;
if(data159 !== null){
const err454 = {instancePath:instancePath+"/tests/" + i8+"/bounds",schemaPath:"#/properties/tests/items/properties/bounds/anyOf/1/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err454];
}
else {
vErrors.push(err454);
}
errors++;
}
var _valid11 = _errs385 === errors;
valid60 = valid60 || _valid11;
if(!valid60){
const err455 = {instancePath:instancePath+"/tests/" + i8+"/bounds",schemaPath:"#/properties/tests/items/properties/bounds/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err455];
}
else {
vErrors.push(err455);
}
errors++;
}
else {
errors = _errs377;
if(vErrors !== null){
if(_errs377){
vErrors.length = _errs377;
}
else {
vErrors = null;
}
}
}
}
if(data145.standard_error !== undefined){
let data162 = data145.standard_error;
if((!((typeof data162 == "number") && (isFinite(data162)))) && (data162 !== null)){
const err456 = {instancePath:instancePath+"/tests/" + i8+"/standard_error",schemaPath:"#/properties/tests/items/properties/standard_error/type",keyword:"type",params:{type: schema20.properties.tests.items.properties.standard_error.type}};
if(vErrors === null){
vErrors = [err456];
}
else {
vErrors.push(err456);
}
errors++;
}
}
if(data145.p !== undefined){
let data163 = data145.p;
if((!((typeof data163 == "number") && (isFinite(data163)))) && (data163 !== null)){
const err457 = {instancePath:instancePath+"/tests/" + i8+"/p",schemaPath:"#/properties/tests/items/properties/p/type",keyword:"type",params:{type: schema20.properties.tests.items.properties.p.type}};
if(vErrors === null){
vErrors = [err457];
}
else {
vErrors.push(err457);
}
errors++;
}
}
if(data145.rank !== undefined){
let data164 = data145.rank;
const _errs392 = errors;
let valid62 = false;
const _errs393 = errors;
if(!(((typeof data164 == "number") && (!(data164 % 1) && !isNaN(data164))) && (isFinite(data164)))){
const err458 = {instancePath:instancePath+"/tests/" + i8+"/rank",schemaPath:"#/properties/tests/items/properties/rank/anyOf/0/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err458];
}
else {
vErrors.push(err458);
}
errors++;
}
if((typeof data164 == "number") && (isFinite(data164))){
if(data164 < 1 || isNaN(data164)){
const err459 = {instancePath:instancePath+"/tests/" + i8+"/rank",schemaPath:"#/properties/tests/items/properties/rank/anyOf/0/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err459];
}
else {
vErrors.push(err459);
}
errors++;
}
}
var _valid12 = _errs393 === errors;
valid62 = valid62 || _valid12;
const _errs395 = errors;
if(data164 !== null){
const err460 = {instancePath:instancePath+"/tests/" + i8+"/rank",schemaPath:"#/properties/tests/items/properties/rank/anyOf/1/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err460];
}
else {
vErrors.push(err460);
}
errors++;
}
var _valid12 = _errs395 === errors;
valid62 = valid62 || _valid12;
if(!valid62){
const err461 = {instancePath:instancePath+"/tests/" + i8+"/rank",schemaPath:"#/properties/tests/items/properties/rank/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err461];
}
else {
vErrors.push(err461);
}
errors++;
}
else {
errors = _errs392;
if(vErrors !== null){
if(_errs392){
vErrors.length = _errs392;
}
else {
vErrors = null;
}
}
}
}
if(data145.multiplier !== undefined){
let data165 = data145.multiplier;
const _errs398 = errors;
let valid63 = false;
const _errs399 = errors;
if(!(((typeof data165 == "number") && (!(data165 % 1) && !isNaN(data165))) && (isFinite(data165)))){
const err462 = {instancePath:instancePath+"/tests/" + i8+"/multiplier",schemaPath:"#/properties/tests/items/properties/multiplier/anyOf/0/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err462];
}
else {
vErrors.push(err462);
}
errors++;
}
if((typeof data165 == "number") && (isFinite(data165))){
if(data165 < 1 || isNaN(data165)){
const err463 = {instancePath:instancePath+"/tests/" + i8+"/multiplier",schemaPath:"#/properties/tests/items/properties/multiplier/anyOf/0/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err463];
}
else {
vErrors.push(err463);
}
errors++;
}
}
var _valid13 = _errs399 === errors;
valid63 = valid63 || _valid13;
const _errs401 = errors;
if(data165 !== null){
const err464 = {instancePath:instancePath+"/tests/" + i8+"/multiplier",schemaPath:"#/properties/tests/items/properties/multiplier/anyOf/1/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err464];
}
else {
vErrors.push(err464);
}
errors++;
}
var _valid13 = _errs401 === errors;
valid63 = valid63 || _valid13;
if(!valid63){
const err465 = {instancePath:instancePath+"/tests/" + i8+"/multiplier",schemaPath:"#/properties/tests/items/properties/multiplier/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err465];
}
else {
vErrors.push(err465);
}
errors++;
}
else {
errors = _errs398;
if(vErrors !== null){
if(_errs398){
vErrors.length = _errs398;
}
else {
vErrors = null;
}
}
}
}
if(data145.p_adjusted !== undefined){
let data166 = data145.p_adjusted;
if((!((typeof data166 == "number") && (isFinite(data166)))) && (data166 !== null)){
const err466 = {instancePath:instancePath+"/tests/" + i8+"/p_adjusted",schemaPath:"#/properties/tests/items/properties/p_adjusted/type",keyword:"type",params:{type: schema20.properties.tests.items.properties.p_adjusted.type}};
if(vErrors === null){
vErrors = [err466];
}
else {
vErrors.push(err466);
}
errors++;
}
}
if(data145.bounds_adjusted !== undefined){
let data167 = data145.bounds_adjusted;
const _errs406 = errors;
let valid64 = false;
const _errs407 = errors;
if(data167 && typeof data167 == "object" && !Array.isArray(data167)){
if(data167.lower === undefined){
const err467 = {instancePath:instancePath+"/tests/" + i8+"/bounds_adjusted",schemaPath:"#/properties/tests/items/properties/bounds_adjusted/anyOf/0/required",keyword:"required",params:{missingProperty: "lower"}};
if(vErrors === null){
vErrors = [err467];
}
else {
vErrors.push(err467);
}
errors++;
}
if(data167.upper === undefined){
const err468 = {instancePath:instancePath+"/tests/" + i8+"/bounds_adjusted",schemaPath:"#/properties/tests/items/properties/bounds_adjusted/anyOf/0/required",keyword:"required",params:{missingProperty: "upper"}};
if(vErrors === null){
vErrors = [err468];
}
else {
vErrors.push(err468);
}
errors++;
}
for(const key32 in data167){
if(!((key32 === "lower") || (key32 === "upper"))){
const err469 = {instancePath:instancePath+"/tests/" + i8+"/bounds_adjusted",schemaPath:"#/properties/tests/items/properties/bounds_adjusted/anyOf/0/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key32}};
if(vErrors === null){
vErrors = [err469];
}
else {
vErrors.push(err469);
}
errors++;
}
}
if(data167.lower !== undefined){
let data168 = data167.lower;
if(!((typeof data168 == "number") && (isFinite(data168)))){
const err470 = {instancePath:instancePath+"/tests/" + i8+"/bounds_adjusted/lower",schemaPath:"#/properties/tests/items/properties/bounds_adjusted/anyOf/0/properties/lower/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err470];
}
else {
vErrors.push(err470);
}
errors++;
}
}
if(data167.upper !== undefined){
let data169 = data167.upper;
if(!((typeof data169 == "number") && (isFinite(data169)))){
const err471 = {instancePath:instancePath+"/tests/" + i8+"/bounds_adjusted/upper",schemaPath:"#/properties/tests/items/properties/bounds_adjusted/anyOf/0/properties/upper/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err471];
}
else {
vErrors.push(err471);
}
errors++;
}
}
}
else {
const err472 = {instancePath:instancePath+"/tests/" + i8+"/bounds_adjusted",schemaPath:"#/properties/tests/items/properties/bounds_adjusted/anyOf/0/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err472];
}
else {
vErrors.push(err472);
}
errors++;
}
var _valid14 = _errs407 === errors;
valid64 = valid64 || _valid14;
const _errs414 = errors;
if(data167 !== null){
const err473 = {instancePath:instancePath+"/tests/" + i8+"/bounds_adjusted",schemaPath:"#/properties/tests/items/properties/bounds_adjusted/anyOf/1/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err473];
}
else {
vErrors.push(err473);
}
errors++;
}
var _valid14 = _errs414 === errors;
valid64 = valid64 || _valid14;
if(!valid64){
const err474 = {instancePath:instancePath+"/tests/" + i8+"/bounds_adjusted",schemaPath:"#/properties/tests/items/properties/bounds_adjusted/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err474];
}
else {
vErrors.push(err474);
}
errors++;
}
else {
errors = _errs406;
if(vErrors !== null){
if(_errs406){
vErrors.length = _errs406;
}
else {
vErrors = null;
}
}
}
}
if(data145.decision !== undefined){
let data170 = data145.decision;
if(!(((data170 === "rejected") || (data170 === "not_rejected")) || (data170 === "blocked"))){
const err475 = {instancePath:instancePath+"/tests/" + i8+"/decision",schemaPath:"#/properties/tests/items/properties/decision/enum",keyword:"enum",params:{allowedValues: schema20.properties.tests.items.properties.decision.enum}};
if(vErrors === null){
vErrors = [err475];
}
else {
vErrors.push(err475);
}
errors++;
}
}
if(data145.blocked_reasons !== undefined){
let data171 = data145.blocked_reasons;
if(Array.isArray(data171)){
const len9 = data171.length;
for(let i9=0; i9<len9; i9++){
let data172 = data171[i9];
if(typeof data172 === "string"){
if(data172.length < 1){
const err476 = {instancePath:instancePath+"/tests/" + i8+"/blocked_reasons/" + i9,schemaPath:"#/properties/tests/items/properties/blocked_reasons/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err476];
}
else {
vErrors.push(err476);
}
errors++;
}
}
else {
const err477 = {instancePath:instancePath+"/tests/" + i8+"/blocked_reasons/" + i9,schemaPath:"#/properties/tests/items/properties/blocked_reasons/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err477];
}
else {
vErrors.push(err477);
}
errors++;
}
}
}
else {
const err478 = {instancePath:instancePath+"/tests/" + i8+"/blocked_reasons",schemaPath:"#/properties/tests/items/properties/blocked_reasons/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err478];
}
else {
vErrors.push(err478);
}
errors++;
}
}
}
else {
const err479 = {instancePath:instancePath+"/tests/" + i8,schemaPath:"#/properties/tests/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err479];
}
else {
vErrors.push(err479);
}
errors++;
}
}
}
else {
const err480 = {instancePath:instancePath+"/tests",schemaPath:"#/properties/tests/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err480];
}
else {
vErrors.push(err480);
}
errors++;
}
}
if(data.controls !== undefined){
let data173 = data.controls;
if(Array.isArray(data173)){
const len10 = data173.length;
for(let i10=0; i10<len10; i10++){
let data174 = data173[i10];
if(data174 && typeof data174 == "object" && !Array.isArray(data174)){
if(data174.name === undefined){
const err481 = {instancePath:instancePath+"/controls/" + i10,schemaPath:"#/properties/controls/items/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err481];
}
else {
vErrors.push(err481);
}
errors++;
}
if(data174.kind === undefined){
const err482 = {instancePath:instancePath+"/controls/" + i10,schemaPath:"#/properties/controls/items/required",keyword:"required",params:{missingProperty: "kind"}};
if(vErrors === null){
vErrors = [err482];
}
else {
vErrors.push(err482);
}
errors++;
}
if(data174.expected === undefined){
const err483 = {instancePath:instancePath+"/controls/" + i10,schemaPath:"#/properties/controls/items/required",keyword:"required",params:{missingProperty: "expected"}};
if(vErrors === null){
vErrors = [err483];
}
else {
vErrors.push(err483);
}
errors++;
}
if(data174.least === undefined){
const err484 = {instancePath:instancePath+"/controls/" + i10,schemaPath:"#/properties/controls/items/required",keyword:"required",params:{missingProperty: "least"}};
if(vErrors === null){
vErrors = [err484];
}
else {
vErrors.push(err484);
}
errors++;
}
if(data174.greatest === undefined){
const err485 = {instancePath:instancePath+"/controls/" + i10,schemaPath:"#/properties/controls/items/required",keyword:"required",params:{missingProperty: "greatest"}};
if(vErrors === null){
vErrors = [err485];
}
else {
vErrors.push(err485);
}
errors++;
}
if(data174.passed === undefined){
const err486 = {instancePath:instancePath+"/controls/" + i10,schemaPath:"#/properties/controls/items/required",keyword:"required",params:{missingProperty: "passed"}};
if(vErrors === null){
vErrors = [err486];
}
else {
vErrors.push(err486);
}
errors++;
}
for(const key33 in data174){
if(!((((((key33 === "name") || (key33 === "kind")) || (key33 === "expected")) || (key33 === "least")) || (key33 === "greatest")) || (key33 === "passed"))){
const err487 = {instancePath:instancePath+"/controls/" + i10,schemaPath:"#/properties/controls/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key33}};
if(vErrors === null){
vErrors = [err487];
}
else {
vErrors.push(err487);
}
errors++;
}
}
if(data174.name !== undefined){
let data175 = data174.name;
if(typeof data175 === "string"){
if(data175.length < 1){
const err488 = {instancePath:instancePath+"/controls/" + i10+"/name",schemaPath:"#/properties/controls/items/properties/name/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err488];
}
else {
vErrors.push(err488);
}
errors++;
}
}
else {
const err489 = {instancePath:instancePath+"/controls/" + i10+"/name",schemaPath:"#/properties/controls/items/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err489];
}
else {
vErrors.push(err489);
}
errors++;
}
}
if(data174.kind !== undefined){
let data176 = data174.kind;
if(!((data176 === "copy") || (data176 === "shift"))){
const err490 = {instancePath:instancePath+"/controls/" + i10+"/kind",schemaPath:"#/properties/controls/items/properties/kind/enum",keyword:"enum",params:{allowedValues: schema20.properties.controls.items.properties.kind.enum}};
if(vErrors === null){
vErrors = [err490];
}
else {
vErrors.push(err490);
}
errors++;
}
}
if(data174.expected !== undefined){
let data177 = data174.expected;
if(!((typeof data177 == "number") && (isFinite(data177)))){
const err491 = {instancePath:instancePath+"/controls/" + i10+"/expected",schemaPath:"#/properties/controls/items/properties/expected/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err491];
}
else {
vErrors.push(err491);
}
errors++;
}
}
if(data174.least !== undefined){
let data178 = data174.least;
if((!((typeof data178 == "number") && (isFinite(data178)))) && (data178 !== null)){
const err492 = {instancePath:instancePath+"/controls/" + i10+"/least",schemaPath:"#/properties/controls/items/properties/least/type",keyword:"type",params:{type: schema20.properties.controls.items.properties.least.type}};
if(vErrors === null){
vErrors = [err492];
}
else {
vErrors.push(err492);
}
errors++;
}
}
if(data174.greatest !== undefined){
let data179 = data174.greatest;
if((!((typeof data179 == "number") && (isFinite(data179)))) && (data179 !== null)){
const err493 = {instancePath:instancePath+"/controls/" + i10+"/greatest",schemaPath:"#/properties/controls/items/properties/greatest/type",keyword:"type",params:{type: schema20.properties.controls.items.properties.greatest.type}};
if(vErrors === null){
vErrors = [err493];
}
else {
vErrors.push(err493);
}
errors++;
}
}
if(data174.passed !== undefined){
if(typeof data174.passed !== "boolean"){
const err494 = {instancePath:instancePath+"/controls/" + i10+"/passed",schemaPath:"#/properties/controls/items/properties/passed/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err494];
}
else {
vErrors.push(err494);
}
errors++;
}
}
}
else {
const err495 = {instancePath:instancePath+"/controls/" + i10,schemaPath:"#/properties/controls/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err495];
}
else {
vErrors.push(err495);
}
errors++;
}
}
}
else {
const err496 = {instancePath:instancePath+"/controls",schemaPath:"#/properties/controls/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err496];
}
else {
vErrors.push(err496);
}
errors++;
}
}
if(data.dispositions !== undefined){
let data181 = data.dispositions;
if(Array.isArray(data181)){
const len11 = data181.length;
for(let i11=0; i11<len11; i11++){
let data182 = data181[i11];
if(data182 && typeof data182 == "object" && !Array.isArray(data182)){
if(data182.candidate === undefined){
const err497 = {instancePath:instancePath+"/dispositions/" + i11,schemaPath:"#/properties/dispositions/items/required",keyword:"required",params:{missingProperty: "candidate"}};
if(vErrors === null){
vErrors = [err497];
}
else {
vErrors.push(err497);
}
errors++;
}
if(data182.disposition === undefined){
const err498 = {instancePath:instancePath+"/dispositions/" + i11,schemaPath:"#/properties/dispositions/items/required",keyword:"required",params:{missingProperty: "disposition"}};
if(vErrors === null){
vErrors = [err498];
}
else {
vErrors.push(err498);
}
errors++;
}
if(data182.reasons === undefined){
const err499 = {instancePath:instancePath+"/dispositions/" + i11,schemaPath:"#/properties/dispositions/items/required",keyword:"required",params:{missingProperty: "reasons"}};
if(vErrors === null){
vErrors = [err499];
}
else {
vErrors.push(err499);
}
errors++;
}
for(const key34 in data182){
if(!(((key34 === "candidate") || (key34 === "disposition")) || (key34 === "reasons"))){
const err500 = {instancePath:instancePath+"/dispositions/" + i11,schemaPath:"#/properties/dispositions/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key34}};
if(vErrors === null){
vErrors = [err500];
}
else {
vErrors.push(err500);
}
errors++;
}
}
if(data182.candidate !== undefined){
let data183 = data182.candidate;
if(typeof data183 === "string"){
if(data183.length < 1){
const err501 = {instancePath:instancePath+"/dispositions/" + i11+"/candidate",schemaPath:"#/properties/dispositions/items/properties/candidate/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err501];
}
else {
vErrors.push(err501);
}
errors++;
}
}
else {
const err502 = {instancePath:instancePath+"/dispositions/" + i11+"/candidate",schemaPath:"#/properties/dispositions/items/properties/candidate/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err502];
}
else {
vErrors.push(err502);
}
errors++;
}
}
if(data182.disposition !== undefined){
let data184 = data182.disposition;
if(!((((data184 === "blocked") || (data184 === "eligible_for_human_review")) || (data184 === "negative")) || (data184 === "inconclusive"))){
const err503 = {instancePath:instancePath+"/dispositions/" + i11+"/disposition",schemaPath:"#/properties/dispositions/items/properties/disposition/enum",keyword:"enum",params:{allowedValues: schema20.properties.dispositions.items.properties.disposition.enum}};
if(vErrors === null){
vErrors = [err503];
}
else {
vErrors.push(err503);
}
errors++;
}
}
if(data182.reasons !== undefined){
let data185 = data182.reasons;
if(Array.isArray(data185)){
const len12 = data185.length;
for(let i12=0; i12<len12; i12++){
let data186 = data185[i12];
if(data186 && typeof data186 == "object" && !Array.isArray(data186)){
if(data186.code === undefined){
const err504 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12,schemaPath:"#/properties/dispositions/items/properties/reasons/items/required",keyword:"required",params:{missingProperty: "code"}};
if(vErrors === null){
vErrors = [err504];
}
else {
vErrors.push(err504);
}
errors++;
}
if(data186.leads_to === undefined){
const err505 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12,schemaPath:"#/properties/dispositions/items/properties/reasons/items/required",keyword:"required",params:{missingProperty: "leads_to"}};
if(vErrors === null){
vErrors = [err505];
}
else {
vErrors.push(err505);
}
errors++;
}
if(data186.comparator === undefined){
const err506 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12,schemaPath:"#/properties/dispositions/items/properties/reasons/items/required",keyword:"required",params:{missingProperty: "comparator"}};
if(vErrors === null){
vErrors = [err506];
}
else {
vErrors.push(err506);
}
errors++;
}
if(data186.horizon === undefined){
const err507 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12,schemaPath:"#/properties/dispositions/items/properties/reasons/items/required",keyword:"required",params:{missingProperty: "horizon"}};
if(vErrors === null){
vErrors = [err507];
}
else {
vErrors.push(err507);
}
errors++;
}
if(data186.measure === undefined){
const err508 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12,schemaPath:"#/properties/dispositions/items/properties/reasons/items/required",keyword:"required",params:{missingProperty: "measure"}};
if(vErrors === null){
vErrors = [err508];
}
else {
vErrors.push(err508);
}
errors++;
}
if(data186.test === undefined){
const err509 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12,schemaPath:"#/properties/dispositions/items/properties/reasons/items/required",keyword:"required",params:{missingProperty: "test"}};
if(vErrors === null){
vErrors = [err509];
}
else {
vErrors.push(err509);
}
errors++;
}
if(data186.found === undefined){
const err510 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12,schemaPath:"#/properties/dispositions/items/properties/reasons/items/required",keyword:"required",params:{missingProperty: "found"}};
if(vErrors === null){
vErrors = [err510];
}
else {
vErrors.push(err510);
}
errors++;
}
if(data186.limit === undefined){
const err511 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12,schemaPath:"#/properties/dispositions/items/properties/reasons/items/required",keyword:"required",params:{missingProperty: "limit"}};
if(vErrors === null){
vErrors = [err511];
}
else {
vErrors.push(err511);
}
errors++;
}
if(data186.details === undefined){
const err512 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12,schemaPath:"#/properties/dispositions/items/properties/reasons/items/required",keyword:"required",params:{missingProperty: "details"}};
if(vErrors === null){
vErrors = [err512];
}
else {
vErrors.push(err512);
}
errors++;
}
for(const key35 in data186){
if(!(func1.call(schema20.properties.dispositions.items.properties.reasons.items.properties, key35))){
const err513 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12,schemaPath:"#/properties/dispositions/items/properties/reasons/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key35}};
if(vErrors === null){
vErrors = [err513];
}
else {
vErrors.push(err513);
}
errors++;
}
}
if(data186.code !== undefined){
let data187 = data186.code;
if(!(((((((((((((((data187 === "evidence_chain_broken") || (data187 === "control_failed")) || (data187 === "comparison_missing")) || (data187 === "failure_rate_above_comparator")) || (data187 === "deciding_test_blocked")) || (data187 === "significantly_worse")) || (data187 === "regression_limit_exceeded")) || (data187 === "direction_limit_exceeded")) || (data187 === "practical_floor_not_reached")) || (data187 === "not_significant")) || (data187 === "regression_not_excluded")) || (data187 === "direction_loss_not_excluded")) || (data187 === "direction_not_comparable")) || (data187 === "retrospective")) || (data187 === "improvement_established"))){
const err514 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12+"/code",schemaPath:"#/properties/dispositions/items/properties/reasons/items/properties/code/enum",keyword:"enum",params:{allowedValues: schema20.properties.dispositions.items.properties.reasons.items.properties.code.enum}};
if(vErrors === null){
vErrors = [err514];
}
else {
vErrors.push(err514);
}
errors++;
}
}
if(data186.leads_to !== undefined){
let data188 = data186.leads_to;
if(!((((data188 === "blocked") || (data188 === "eligible_for_human_review")) || (data188 === "negative")) || (data188 === "inconclusive"))){
const err515 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12+"/leads_to",schemaPath:"#/properties/dispositions/items/properties/reasons/items/properties/leads_to/enum",keyword:"enum",params:{allowedValues: schema20.properties.dispositions.items.properties.reasons.items.properties.leads_to.enum}};
if(vErrors === null){
vErrors = [err515];
}
else {
vErrors.push(err515);
}
errors++;
}
}
if(data186.comparator !== undefined){
let data189 = data186.comparator;
const _errs453 = errors;
let valid77 = false;
const _errs454 = errors;
if(typeof data189 === "string"){
if(data189.length < 1){
const err516 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12+"/comparator",schemaPath:"#/properties/dispositions/items/properties/reasons/items/properties/comparator/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err516];
}
else {
vErrors.push(err516);
}
errors++;
}
}
else {
const err517 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12+"/comparator",schemaPath:"#/properties/dispositions/items/properties/reasons/items/properties/comparator/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err517];
}
else {
vErrors.push(err517);
}
errors++;
}
var _valid15 = _errs454 === errors;
valid77 = valid77 || _valid15;
const _errs456 = errors;
if(data189 !== null){
const err518 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12+"/comparator",schemaPath:"#/properties/dispositions/items/properties/reasons/items/properties/comparator/anyOf/1/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err518];
}
else {
vErrors.push(err518);
}
errors++;
}
var _valid15 = _errs456 === errors;
valid77 = valid77 || _valid15;
if(!valid77){
const err519 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12+"/comparator",schemaPath:"#/properties/dispositions/items/properties/reasons/items/properties/comparator/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err519];
}
else {
vErrors.push(err519);
}
errors++;
}
else {
errors = _errs453;
if(vErrors !== null){
if(_errs453){
vErrors.length = _errs453;
}
else {
vErrors = null;
}
}
}
}
if(data186.horizon !== undefined){
let data190 = data186.horizon;
const _errs459 = errors;
let valid78 = false;
const _errs460 = errors;
const _errs461 = errors;
let valid79 = false;
const _errs462 = errors;
if(!(((typeof data190 == "number") && (!(data190 % 1) && !isNaN(data190))) && (isFinite(data190)))){
const err520 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12+"/horizon",schemaPath:"#/properties/dispositions/items/properties/reasons/items/properties/horizon/anyOf/0/anyOf/0/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err520];
}
else {
vErrors.push(err520);
}
errors++;
}
if((typeof data190 == "number") && (isFinite(data190))){
if(data190 < 1 || isNaN(data190)){
const err521 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12+"/horizon",schemaPath:"#/properties/dispositions/items/properties/reasons/items/properties/horizon/anyOf/0/anyOf/0/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err521];
}
else {
vErrors.push(err521);
}
errors++;
}
}
var _valid17 = _errs462 === errors;
valid79 = valid79 || _valid17;
const _errs464 = errors;
if("overall" !== data190){
const err522 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12+"/horizon",schemaPath:"#/properties/dispositions/items/properties/reasons/items/properties/horizon/anyOf/0/anyOf/1/const",keyword:"const",params:{allowedValue: "overall"}};
if(vErrors === null){
vErrors = [err522];
}
else {
vErrors.push(err522);
}
errors++;
}
var _valid17 = _errs464 === errors;
valid79 = valid79 || _valid17;
if(!valid79){
const err523 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12+"/horizon",schemaPath:"#/properties/dispositions/items/properties/reasons/items/properties/horizon/anyOf/0/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err523];
}
else {
vErrors.push(err523);
}
errors++;
}
else {
errors = _errs461;
if(vErrors !== null){
if(_errs461){
vErrors.length = _errs461;
}
else {
vErrors = null;
}
}
}
var _valid16 = _errs460 === errors;
valid78 = valid78 || _valid16;
const _errs465 = errors;
if(data190 !== null){
const err524 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12+"/horizon",schemaPath:"#/properties/dispositions/items/properties/reasons/items/properties/horizon/anyOf/1/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err524];
}
else {
vErrors.push(err524);
}
errors++;
}
var _valid16 = _errs465 === errors;
valid78 = valid78 || _valid16;
if(!valid78){
const err525 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12+"/horizon",schemaPath:"#/properties/dispositions/items/properties/reasons/items/properties/horizon/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err525];
}
else {
vErrors.push(err525);
}
errors++;
}
else {
errors = _errs459;
if(vErrors !== null){
if(_errs459){
vErrors.length = _errs459;
}
else {
vErrors = null;
}
}
}
}
if(data186.measure !== undefined){
let data191 = data186.measure;
const _errs468 = errors;
let valid80 = false;
const _errs469 = errors;
if(!((data191 === "point_loss") || (data191 === "direction_error"))){
const err526 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12+"/measure",schemaPath:"#/properties/dispositions/items/properties/reasons/items/properties/measure/anyOf/0/enum",keyword:"enum",params:{allowedValues: schema20.properties.dispositions.items.properties.reasons.items.properties.measure.anyOf[0].enum}};
if(vErrors === null){
vErrors = [err526];
}
else {
vErrors.push(err526);
}
errors++;
}
var _valid18 = _errs469 === errors;
valid80 = valid80 || _valid18;
const _errs470 = errors;
if(data191 !== null){
const err527 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12+"/measure",schemaPath:"#/properties/dispositions/items/properties/reasons/items/properties/measure/anyOf/1/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err527];
}
else {
vErrors.push(err527);
}
errors++;
}
var _valid18 = _errs470 === errors;
valid80 = valid80 || _valid18;
if(!valid80){
const err528 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12+"/measure",schemaPath:"#/properties/dispositions/items/properties/reasons/items/properties/measure/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err528];
}
else {
vErrors.push(err528);
}
errors++;
}
else {
errors = _errs468;
if(vErrors !== null){
if(_errs468){
vErrors.length = _errs468;
}
else {
vErrors = null;
}
}
}
}
if(data186.test !== undefined){
let data192 = data186.test;
const _errs473 = errors;
let valid81 = false;
const _errs474 = errors;
if(typeof data192 === "string"){
if(data192.length < 1){
const err529 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12+"/test",schemaPath:"#/properties/dispositions/items/properties/reasons/items/properties/test/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err529];
}
else {
vErrors.push(err529);
}
errors++;
}
}
else {
const err530 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12+"/test",schemaPath:"#/properties/dispositions/items/properties/reasons/items/properties/test/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err530];
}
else {
vErrors.push(err530);
}
errors++;
}
var _valid19 = _errs474 === errors;
valid81 = valid81 || _valid19;
const _errs476 = errors;
if(data192 !== null){
const err531 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12+"/test",schemaPath:"#/properties/dispositions/items/properties/reasons/items/properties/test/anyOf/1/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err531];
}
else {
vErrors.push(err531);
}
errors++;
}
var _valid19 = _errs476 === errors;
valid81 = valid81 || _valid19;
if(!valid81){
const err532 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12+"/test",schemaPath:"#/properties/dispositions/items/properties/reasons/items/properties/test/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err532];
}
else {
vErrors.push(err532);
}
errors++;
}
else {
errors = _errs473;
if(vErrors !== null){
if(_errs473){
vErrors.length = _errs473;
}
else {
vErrors = null;
}
}
}
}
if(data186.found !== undefined){
let data193 = data186.found;
if((!((typeof data193 == "number") && (isFinite(data193)))) && (data193 !== null)){
const err533 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12+"/found",schemaPath:"#/properties/dispositions/items/properties/reasons/items/properties/found/type",keyword:"type",params:{type: schema20.properties.dispositions.items.properties.reasons.items.properties.found.type}};
if(vErrors === null){
vErrors = [err533];
}
else {
vErrors.push(err533);
}
errors++;
}
}
if(data186.limit !== undefined){
let data194 = data186.limit;
if((!((typeof data194 == "number") && (isFinite(data194)))) && (data194 !== null)){
const err534 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12+"/limit",schemaPath:"#/properties/dispositions/items/properties/reasons/items/properties/limit/type",keyword:"type",params:{type: schema20.properties.dispositions.items.properties.reasons.items.properties.limit.type}};
if(vErrors === null){
vErrors = [err534];
}
else {
vErrors.push(err534);
}
errors++;
}
}
if(data186.details !== undefined){
let data195 = data186.details;
if(Array.isArray(data195)){
const len13 = data195.length;
for(let i13=0; i13<len13; i13++){
let data196 = data195[i13];
if(typeof data196 === "string"){
if(data196.length < 1){
const err535 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12+"/details/" + i13,schemaPath:"#/properties/dispositions/items/properties/reasons/items/properties/details/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err535];
}
else {
vErrors.push(err535);
}
errors++;
}
}
else {
const err536 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12+"/details/" + i13,schemaPath:"#/properties/dispositions/items/properties/reasons/items/properties/details/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err536];
}
else {
vErrors.push(err536);
}
errors++;
}
}
}
else {
const err537 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12+"/details",schemaPath:"#/properties/dispositions/items/properties/reasons/items/properties/details/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err537];
}
else {
vErrors.push(err537);
}
errors++;
}
}
}
else {
const err538 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons/" + i12,schemaPath:"#/properties/dispositions/items/properties/reasons/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err538];
}
else {
vErrors.push(err538);
}
errors++;
}
}
}
else {
const err539 = {instancePath:instancePath+"/dispositions/" + i11+"/reasons",schemaPath:"#/properties/dispositions/items/properties/reasons/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err539];
}
else {
vErrors.push(err539);
}
errors++;
}
}
}
else {
const err540 = {instancePath:instancePath+"/dispositions/" + i11,schemaPath:"#/properties/dispositions/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err540];
}
else {
vErrors.push(err540);
}
errors++;
}
}
}
else {
const err541 = {instancePath:instancePath+"/dispositions",schemaPath:"#/properties/dispositions/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err541];
}
else {
vErrors.push(err541);
}
errors++;
}
}
}
else {
const err542 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err542];
}
else {
vErrors.push(err542);
}
errors++;
}
validate53.errors = vErrors;
return errors === 0;
}
validate53.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};
