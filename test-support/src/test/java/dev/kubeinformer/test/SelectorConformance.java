package dev.kubeinformer.test;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Label selectors and field selectors of lists.
 */
abstract class SelectorConformance extends Conformance {

	SelectorConformance(ApiTarget target) {
		super(target);
	}

	@Test
	void labelSelectorShouldKnowAllItsOperators() {
		create("a", "{app: 'web', tier: 'front', n: '5'}");
		create("b", "{app: 'db', n: '10'}");
		create("c", "{app: ''}");
		create("d");
		labels("app", "a", "b", "c");
		labels("!app", "d");
		labels("app=web", "a");
		labels("app==web", "a");
		labels("app!=web", "b", "c", "d");
		labels("app=", "c");
		labels("app in (web, db)", "a", "b");
		labels("app in (web,)", "a", "c");
		labels("app notin (web,db)", "c", "d");
		labels("app,!tier", "b", "c");
		labels("app in (web,db),tier=front", "a");
		labels(" app = web , tier ", "a");
		labels("n>5", "b");
		labels("n<10", "a");
		labels("", "a", "b", "c", "d");
		labels("none=x");
	}

	private void labels(String selector, String... expected) {
		assertThat(get(SECRETS + "?labelSelector=" + selector).hasCode(200).names()).as(selector)
			.containsExactly(expected);
	}

	@Test
	void labelSelectorWhenWrongShouldBeBadRequest() {
		wrongLabels("app in web", "unable to parse requirement: found 'web' expected: '('");
		wrongLabels("app in (web", "unable to parse requirement: found '', expected: ',' or ')'");
		wrongLabels("app in (web db)", "unable to parse requirement: found 'db', expected: ',' or ')'");
		wrongLabels("app web", "unable to parse requirement: found 'web', expected: in, notin, =, ==, !=, gt, lt");
		wrongLabels("a!b", "unable to parse requirement: found '!', expected: in, notin, =, ==, !=, gt, lt");
		wrongLabels("!", "unable to parse requirement: found '', expected: identifier");
		wrongLabels("app,", "found '', expected: identifier after ','");
		wrongLabels("a,,b", "found ',', expected: identifier after ','");
		wrongLabels(",a", "found ',', expected: !, identifier, or 'end of string'");
		wrongLabels("=web", "found '=', expected: !, identifier, or 'end of string'");
		wrongLabels("app=web)", "found ')', expected: ',' or 'end of string'");
		wrongLabels("app=a b", "found 'b', expected: ',' or 'end of string'");
		wrongLabels("n>x",
				"unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer");
	}

	private void wrongLabels(String selector, String message) {
		get(SECRETS + "?labelSelector=" + selector).isFailure(400, "BadRequest", message, "");
	}

	@Test
	void labelSelectorWhenKeyOrValueIsNoLabelShouldBeBadRequest() {
		Answer key = get(SECRETS + "?labelSelector=-app=web").hasCode(400);
		assertThat(key.body().path("message").asString())
			.startsWith("unable to parse requirement: <nil>: Invalid value: \"-app\": name part must consist of");
		Answer value = get(SECRETS + "?labelSelector=app=-x").hasCode(400);
		assertThat(value.body().path("message").asString()).startsWith(
				"unable to parse requirement: values[0][app]: Invalid value: \"-x\": a valid label must be an empty "
						+ "string or consist of");
	}

	@Test
	void fieldSelectorShouldKnowTheMetadata() {
		create("a");
		create("b");
		fields(SECRETS, "metadata.name=a", "a");
		fields(SECRETS, "metadata.name==a", "a");
		fields(SECRETS, "metadata.name!=a", "b");
		fields(SECRETS, "metadata.namespace=NS", "a", "b");
		fields(SECRETS, "metadata.namespace=NS,metadata.name=b", "b");
		fields(SECRETS, "metadata.namespace=other");
		fields(SECRETS, "type=Opaque", "a", "b");
		fields(SECRETS, "metadata.name=a,metadata.name=b");
		fields(SECRETS, "", "a", "b");
	}

	@Test
	void fieldSelectorShouldKnowFieldsOfPods() {
		post(PODS, pod("a", "node-1")).hasCode(201);
		post(PODS, pod("b", "node-2")).hasCode(201);
		mergePatch(PODS + "/a/status", "{status: {phase: 'Running', podIP: '10.0.0.1'}}").hasCode(200);
		mergePatch(PODS + "/b/status", "{status: {phase: 'Failed'}}").hasCode(200);
		fields(PODS, "status.phase=Running", "a");
		fields(PODS, "status.phase!=Running", "b");
		fields(PODS, "spec.nodeName=node-2", "b");
		fields(PODS, "spec.nodeName=node-2,status.phase=Running");
		fields(PODS, "status.podIP=", "b");
		fields(PODS, "spec.nodeName!=", "a", "b");
	}

	@Test
	void fieldSelectorWhenDefaultedShouldKnowDefault() {
		post(PODS, pod("a", "node-1")).hasCode(201);
		fields(PODS, "spec.restartPolicy=Always", "a");
		fields(PODS, "spec.schedulerName=default-scheduler", "a");
		fields(PODS, "status.phase=Pending", "a");
	}

	private void fields(String path, String selector, String... expected) {
		assertThat(get(path + "?fieldSelector=" + selector).hasCode(200).names()).as(selector)
			.containsExactly(expected);
	}

	@Test
	void fieldSelectorWhenFieldIsUnknownShouldBeBadRequest() {
		wrongFields(PODS, "spec.foo=a", "field label not supported: spec.foo");
		wrongFields("/api/v1/nodes", "spec.foo=a", "field label not supported: spec.foo");
		wrongFields("/apis/batch/v1/jobs", "spec.foo=a", "field label \"spec.foo\" not supported for Job");
		wrongFields(DEPLOYMENTS, "spec.replicas=1",
				"\"spec.replicas\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"");
	}

	@Test
	void fieldSelectorWhenNotOneShouldBeBadRequest() {
		wrongFields(SECRETS, "foo", "invalid selector: 'foo'; can't understand 'foo'");
		wrongFields(SECRETS, "metadata.name=a,foo", "invalid selector: 'metadata.name=a,foo'; can't understand 'foo'");
		wrongFields(SECRETS, "metadata.name=a=b", "invalid field selector: unescaped character in value: 61");
		wrongFields(SECRETS, "=a", "field label not supported: ");
	}

	private void wrongFields(String path, String selector, String message) {
		get(path + "?fieldSelector=" + selector).isFailure(400, "BadRequest", message, "");
	}

}
