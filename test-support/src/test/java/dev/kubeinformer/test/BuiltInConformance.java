package dev.kubeinformer.test;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** Rejections of objects of built-in types with their messages, and default values. */
abstract class BuiltInConformance extends Conformance {

	private static final String SERVICES = NAMESPACE + "/services";

	private static final String CONFIG_MAPS = NAMESPACE + "/configmaps";

	private static final String JOBS = "/apis/batch/v1/namespaces/NS/jobs";

	private static final String CRON_JOBS = "/apis/batch/v1/namespaces/NS/cronjobs";

	private static final String INGRESSES = "/apis/networking.k8s.io/v1/namespaces/NS/ingresses";

	private static final String CLAIMS = NAMESPACE + "/persistentvolumeclaims";

	private static final String BINDINGS = "/apis/rbac.authorization.k8s.io/v1/namespaces/NS/rolebindings";

	private static final String LABEL = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters "
			+ "or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used "
			+ "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

	BuiltInConformance(ApiTarget target) {
		super(target);
	}

	private static String deployment(String spec, String container) {
		return "{metadata: {name: 'a'}, spec: {" + spec + "selector: {matchLabels: {app: 'web'}}, template: {metadata: "
				+ "{labels: {app: 'web'}}, spec: {containers: [{name: 'c', image: 'i'" + container + "}]}}}}";
	}

	private static String pod(String spec) {
		return "{metadata: {name: 'a'}, spec: {" + spec + "}}";
	}

	static Stream<Arguments> refusals() {
		return Stream.of(
				arguments(DEPLOYMENTS, deployment("replicas: -1, ", ""),
						"Deployment.apps \"a\" is invalid: spec.replicas: Invalid value: -1: must be greater than or "
								+ "equal to 0"),
				arguments(DEPLOYMENTS,
						"{metadata: {name: 'a'}, spec: {template: {spec: {containers: [{name: 'B_'}]}}}}",
						"Deployment.apps \"a\" is invalid: [spec.selector: Required value, "
								+ "spec.template.metadata.labels: Invalid value: null: `selector` does not match "
								+ "template `labels`, spec.template.spec.containers[0].name: Invalid value: \"B_\": "
								+ LABEL + ", spec.template.spec.containers[0].image: Required value]"),
				arguments(DEPLOYMENTS, deployment("", "").replace("{labels: {app: 'web'}}", "{labels: {app: 'x'}}"),
						"Deployment.apps \"a\" is invalid: spec.template.metadata.labels: Invalid value: "
								+ "{\"app\":\"x\"}: `selector` does not match template `labels`"),
				arguments(DEPLOYMENTS,
						deployment("", ", resources: {requests: {cpu: '2'}, limits: {cpu: '500m', memory: '-1'}}"),
						"Deployment.apps \"a\" is invalid: [spec.template.spec.containers[0].resources.limits[memory]: "
								+ "Invalid value: \"-1\": must be greater than or equal to 0, spec.template.spec."
								+ "containers[0].resources.requests: Invalid value: \"2\": must be less than or equal to "
								+ "cpu limit of 500m]"),
				arguments(DEPLOYMENTS, deployment("", ", livenessProbe: {periodSeconds: -1}"),
						"Deployment.apps \"a\" is invalid: [spec.template.spec.containers[0].livenessProbe: Required "
								+ "value: must specify a handler type, spec.template.spec.containers[0].livenessProbe."
								+ "periodSeconds: Invalid value: -1: must be greater than or equal to 0]"),
				arguments(PODS, pod(""), "Pod \"a\" is invalid: spec.containers: Required value"),
				arguments(PODS, pod(
						"restartPolicy: 'Maybe', containers: [{name: 'c', image: 'i', ports: [{containerPort: 70000, "
								+ "protocol: 'X'}], volumeMounts: [{name: 'v', mountPath: '/a'}]}, {name: 'c', image: 'i'}]"),
						"Pod \"a\" is invalid: [spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be "
								+ "between 1 and 65535, inclusive, spec.containers[0].ports[0].protocol: Unsupported "
								+ "value: \"X\": supported values: \"SCTP\", \"TCP\", \"UDP\", "
								+ "spec.containers[0].volumeMounts[0].name: Not found: \"v\", spec.containers[1].name: "
								+ "Duplicate value: \"c\", spec.restartPolicy: Unsupported value: \"Maybe\": supported "
								+ "values: \"Always\", \"OnFailure\", \"Never\"]"),
				arguments(SERVICES, "{metadata: {name: 'a'}}", "Service \"a\" is invalid: spec.ports: Required value"),
				arguments(SERVICES, "{metadata: {name: 'a'}, spec: {ports: [{port: 1}, {port: 0}]}}",
						"Service \"a\" is invalid: [spec.ports[0].name: Required value, spec.ports[1].name: Required "
								+ "value, spec.ports[1].port: Invalid value: 0: must be between 1 and 65535, inclusive, "
								+ "spec.ports[1].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive]"),
				arguments(INGRESSES,
						"{metadata: {name: 'a'}, spec: {rules: [{http: {paths: [{path: 'x', pathType: "
								+ "'Prefix', backend: {}}]}}]}}",
						"Ingress.networking.k8s.io \"a\" is invalid: [spec.rules[0].http.paths[0].path: Invalid value: "
								+ "\"x\": must be an absolute path, spec.rules[0].http.paths[0].backend: Invalid value: "
								+ "\"\": resource or service backend is required]"),
				arguments(CONFIG_MAPS, "{metadata: {name: 'a', labels: {'a b': 'c d'}}, data: {'x/y': '1'}}",
						"ConfigMap \"a\" is invalid: [metadata.labels: Invalid value: \"a b\": name part must consist of "
								+ "alphanumeric characters, '-', '_' or '.', and must start and end with an "
								+ "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
								+ "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'), metadata.labels: Invalid "
								+ "value: \"c d\": a valid label must be an empty string or consist of alphanumeric "
								+ "characters, '-', '_' or '.', and must start and end with an alphanumeric character "
								+ "(e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
								+ "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?'), data[x/y]: Invalid value: \"x/y\": a "
								+ "valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. "
								+ "'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is "
								+ "'[-._a-zA-Z0-9]+')]"),
				arguments(CRON_JOBS,
						"{metadata: {name: 'a'}, spec: {schedule: '* * *', concurrencyPolicy: 'X', jobTemplate: {spec: "
								+ "{template: {spec: {restartPolicy: 'Never', containers: [{name: 'c', image: 'i'}]}}}}}}",
						"CronJob.batch \"a\" is invalid: [spec.schedule: Invalid value: \"* * *\": expected exactly 5 "
								+ "fields, found 3: [* * *], spec.concurrencyPolicy: Unsupported value: \"X\": supported "
								+ "values: \"Allow\", \"Forbid\", \"Replace\"]"),
				arguments(JOBS,
						"{metadata: {name: 'a'}, spec: {parallelism: -1, template: {spec: {containers: [{name: "
								+ "'c', image: 'i'}]}}}}",
						"Job.batch \"a\" is invalid: [spec.parallelism: Invalid value: -1: must be greater than or equal "
								+ "to 0, spec.template.spec.restartPolicy: Required value: valid values: \"OnFailure\", "
								+ "\"Never\"]"),
				arguments(CLAIMS, "{metadata: {name: 'a'}, spec: {accessModes: ['X']}}",
						"PersistentVolumeClaim \"a\" is invalid: [spec.accessModes: Unsupported value: \"X\": supported "
								+ "values: \"ReadOnlyMany\", \"ReadWriteMany\", \"ReadWriteOnce\", "
								+ "\"ReadWriteOncePod\", spec.resources[storage]: Required value]"),
				arguments(BINDINGS,
						"{metadata: {name: 'a'}, roleRef: {kind: 'X', name: 'y'}, subjects: [{kind: 'Z', "
								+ "name: 'z'}]}",
						"RoleBinding.rbac.authorization.k8s.io \"a\" is invalid: [roleRef.kind: Unsupported value: "
								+ "\"X\": supported values: \"Role\", \"ClusterRole\", subjects[0].kind: Unsupported "
								+ "value: \"Z\": supported values: \"ServiceAccount\", \"User\", \"Group\"]"),
				arguments(BINDINGS, "{metadata: {name: 'a'}}",
						"RoleBinding.rbac.authorization.k8s.io \"a\" is invalid: [roleRef.kind: Unsupported value: \"\": "
								+ "supported values: \"Role\", \"ClusterRole\", roleRef.name: Required value]"));
	}

	@ParameterizedTest
	@MethodSource("refusals")
	void wrongObjectShouldBeRefusedInTheWordsOfTheCluster(String path, String body, String message) {
		JsonNode answer = post(path, body).hasCode(422).body();
		// Before, maps and lists in messages were printed as Go prints them.
		if (isSince(35)) {
			assertThat(answer.path("message").asString()).isEqualTo(message);
		}
	}

	static Stream<Arguments> undecodable() {
		String start = "Deployment in version \"v1\" cannot be handled as a Deployment: ";
		String field = "into Go struct field ";
		return Stream.of(
				arguments(deployment("replicas: 'x', ", ""),
						start + "json: cannot unmarshal string " + field
								+ "DeploymentSpec.spec.replicas of type int32"),
				arguments(deployment("replicas: 1.5, ", ""),
						start + "json: cannot unmarshal number 1.5 " + field
								+ "DeploymentSpec.spec.replicas of type int32"),
				arguments(deployment("", ", command: 'x'"),
						start + "json: cannot unmarshal string " + field
								+ "Container.spec.template.spec.containers.command of type []string"),
				arguments(deployment("", ", ports: [1]"),
						start + "json: cannot unmarshal number " + field
								+ "Container.spec.template.spec.containers.ports of type v1.ContainerPort"),
				arguments(deployment("", ", resources: 'x'"),
						start + "json: cannot unmarshal string " + field
								+ "Container.spec.template.spec.containers.resources of type v1.ResourceRequirements"),
				arguments("{metadata: {name: 'a', labels: []}}",
						start + "json: cannot unmarshal array " + field
								+ "ObjectMeta.metadata.labels of type map[string]string"),
				arguments(deployment("", ", resources: {limits: {cpu: 'abc'}}"), start
						+ "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"));
	}

	@ParameterizedTest
	@MethodSource("undecodable")
	void valueOfAnotherTypeShouldBeRefusedInTheWordsOfTheDecoder(String body, String message) {
		post(DEPLOYMENTS, body).isFailure(400, "BadRequest", message, "");
	}

	@Test
	void unknownFieldShouldBeDroppedOrRefusedAsAskedFor() {
		String body = deployment("foo: 1, ", ", bar: 1");
		post(DEPLOYMENTS + "?fieldValidation=Strict", body).isFailure(400, "BadRequest",
				"Deployment in version \"v1\" cannot be handled as a Deployment: strict decoding error: unknown field "
						+ "\"spec.foo\", unknown field \"spec.template.spec.containers[0].bar\"",
				"");
		JsonNode created = post(DEPLOYMENTS, body).hasCode(201).body();
		assertThat(created.path("spec").has("foo")).isFalse();
		assertThat(created.path("spec").path("template").path("spec").path("containers").path(0).has("bar")).isFalse();
		assertThat(patch("application/apply-patch+yaml", DEPLOYMENTS + "/a?fieldManager=m",
				"{apiVersion: 'apps/v1', kind: 'Deployment', metadata: {name: 'a'}, spec: {foo: 1}}")
			.hasCode(500)
			.body()
			.path("message")
			.asString())
			.isEqualTo("failed to create typed patch object (/a; apps/v1, Kind=Deployment): .spec.foo: "
					+ "field not declared in schema");
	}

	@Test
	void defaultsShouldBeFilledIn() {
		JsonNode spec = post(DEPLOYMENTS, deployment("", ", ports: [{containerPort: 1}]")).hasCode(201)
			.body()
			.path("spec");
		assertThat((Object) spec).isEqualTo(Answer.parse("""
				{replicas: 1, selector: {matchLabels: {app: 'web'}}, template: {metadata: %s{labels: {app: 'web'}},
				spec: {containers: [{name: 'c', image: 'i', ports: [{containerPort: 1, protocol: 'TCP'}], resources: {},
				terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File',
				imagePullPolicy: 'Always'}], restartPolicy: 'Always', terminationGracePeriodSeconds: 30,
				dnsPolicy: 'ClusterFirst', securityContext: {}, schedulerName: 'default-scheduler'}},
				strategy: {type: 'RollingUpdate', rollingUpdate: {maxUnavailable: '25%%', maxSurge: '25%%'}},
				revisionHistoryLimit: 10, progressDeadlineSeconds: 600}"""
			.formatted(since(34, "", "{creationTimestamp: null, labels: {app: 'web'}}#"))
			.replaceAll("#\\{labels: \\{app: 'web'}}", "")));
	}

	@Test
	void portsWithTheSameNumberShouldShareAPortOfTheNodes() {
		String service = "{metadata: {name: 'a'}, spec: {type: 'NodePort', ports: [{name: 'x', port: 53, protocol: 'UDP'}, "
				+ "{name: 'y', port: 53, protocol: '%s'}]}}";
		JsonNode ports = post(SERVICES, service.formatted("TCP")).hasCode(201).body().path("spec").path("ports");
		assertThat(ports.path(0).path("nodePort").asInt()).isPositive()
			.isEqualTo(ports.path(1).path("nodePort").asInt());
		assertThat(post(SERVICES, service.formatted("UDP")).hasCode(422).body().path("details").path("causes"))
			.extracting((cause) -> cause.path("field").asString())
			.containsExactlyInAnyOrder("spec.ports[1]", "spec.ports[1].nodePort");
		int port = ports.path(0).path("nodePort").asInt();
		mergePatch(SERVICES + "/a",
				"{spec: {ports: [{name: 'x', port: 53, nodePort: %d}, {name: 'z', port: 54, nodePort: %d}]}}"
					.formatted(port, port))
			.isRejected(500, "", "duplicate nodePort: {TCP " + port + "}");
		post(SERVICES, "{metadata: {name: 'b'}, spec: {type: 'NodePort', ports: [{port: 1, nodePort: 1}]}}").isRejected(
				422, "Invalid",
				"Service \"b\" is invalid: spec.ports[0].nodePort: Invalid value: 1: provided port is not in the "
						+ "valid range. The range of valid ports is 30000-32767");
		assertThat(mergePatch(SERVICES + "/a", "{spec: {ports: [{name: 'x', port: 99}]}}").hasCode(200)
			.body()
			.path("spec")
			.path("ports")
			.path(0)
			.path("nodePort")
			.asInt()).isEqualTo(port);
	}

	@Test
	void serviceOfAnotherTypeShouldLoseThePortsOfTheNodesThatItKeeps() {
		post(SERVICES,
				"{metadata: {name: 'a'}, spec: {type: 'NodePort', ports: [{name: 'x', port: 1}, {name: 'y', port: 2}]}}")
			.hasCode(201);
		JsonNode service = get(SERVICES + "/a").body();
		int port = service.path("spec").path("ports").path(0).path("nodePort").asInt();
		assertThat(mergePatch(SERVICES + "/a",
				"{spec: {type: 'ClusterIP', ports: [{name: 'x', port: 1, nodePort: " + port + "}]}}")
			.hasCode(200)
			.body()
			.path("spec")
			.path("ports")
			.path(0)
			.has("nodePort")).isFalse();
	}

	@Test
	void bytesMayBeNullOrAListOfNumbers() {
		assertThat(post(CONFIG_MAPS, "{metadata: {name: 'a'}, binaryData: {a: [], b: [104, 105, null], c: null}}")
			.hasCode(201)
			.body()
			.path("binaryData")).isEqualTo(Answer.parse("{a: '', b: 'aGkA', c: ''}"));
		post(CONFIG_MAPS, "{metadata: {name: 'b'}, binaryData: {a: [1, 256]}}").isFailure(400, "BadRequest",
				"ConfigMap in version \"v1\" cannot be handled as a ConfigMap: json: cannot unmarshal number 256 into Go "
						+ "struct field ConfigMap.binaryData of type uint8",
				"");
		post(CONFIG_MAPS, "{metadata: {name: 'b'}, binaryData: {a: ['a']}}").isFailure(400, "BadRequest",
				"ConfigMap in version \"v1\" cannot be handled as a ConfigMap: json: cannot unmarshal string into Go "
						+ "struct field ConfigMap.binaryData of type uint8",
				"");
	}

	@Test
	void jobShouldShareAnEmptyMapOfLabelsWithItsPods() {
		String job = "{metadata: {name: 'a'}, spec: {template: {metadata: {labels: {}}, spec: {restartPolicy: 'Never', "
				+ "containers: [{name: 'c', image: 'i'}]}}}}";
		assertThat(post(JOBS, job).hasCode(201).body().path("metadata").path("labels").propertyNames())
			.containsExactlyInAnyOrder("controller-uid", "job-name", "batch.kubernetes.io/controller-uid",
					"batch.kubernetes.io/job-name");
		assertThat(post(JOBS, job.replace("'a'", "'a=b'")).hasCode(422).body().path("details").path("causes"))
			.extracting((cause) -> cause.path("field").asString())
			.contains("metadata.name", "metadata.labels", "spec.template.labels");
	}

	@Test
	void immutableFieldShouldNotChange() {
		post(DEPLOYMENTS, deployment("", "")).hasCode(201);
		assertThat(mergePatch(DEPLOYMENTS + "/a",
				"{spec: {selector: {matchLabels: {app: null, b: 'c'}}, template: " + "{metadata: {labels: {b: 'c'}}}}}")
			.hasCode(422)
			.body()
			.path("details")
			.path("causes")
			.path(0)
			.path("field")
			.asString()).isEqualTo("spec.selector");
		post(SERVICES, "{metadata: {name: 'a'}, spec: {ports: [{port: 1}]}}").hasCode(201);
		assertThat(
				mergePatch(SERVICES + "/a", "{spec: {clusterIP: '10.0.0.77', clusterIPs: ['10.0.0.77']}}").hasCode(422)
					.body()
					.path("message")
					.asString())
			.contains("spec.clusterIPs[0]: Invalid value: ", "may not change once set");
		post(CONFIG_MAPS, "{metadata: {name: 'a'}, data: {a: '1'}, immutable: true}").hasCode(201);
		mergePatch(CONFIG_MAPS + "/a", "{data: {a: '2'}}").isFailure(422, "Invalid",
				"ConfigMap \"a\" is invalid: data: Forbidden: field is immutable when `immutable` is set",
				"{name: 'a', kind: 'ConfigMap', causes: [{reason: 'FieldValueForbidden', message: 'Forbidden: field is "
						+ "immutable when `immutable` is set', field: 'data'}]}");
		post(PODS, pod("containers: [{name: 'c', image: 'i'}]")).hasCode(201);
		mergePatch(PODS + "/a", "{spec: {containers: [{name: 'c', image: 'j'}]}}").hasCode(200);
		assertThat(mergePatch(PODS + "/a", "{spec: {hostname: 'x'}}").hasCode(422).body().path("message").asString())
			.startsWith("Pod \"a\" is invalid: spec: Forbidden: pod updates may not change fields other than ");
	}

}
