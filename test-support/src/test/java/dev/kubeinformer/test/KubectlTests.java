package dev.kubeinformer.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * The real kubectl on the embedded API. It is named by {@code -Dkubectl="COMMAND"}.
 */
class KubectlTests {

	private static final Logger logger = LoggerFactory.getLogger(KubectlTests.class);

	private static final String WIDGETS = """
			apiVersion: apiextensions.k8s.io/v1
			kind: CustomResourceDefinition
			metadata: {name: widgets.example.com}
			spec:
			  group: example.com
			  scope: Namespaced
			  names: {plural: widgets, kind: Widget, shortNames: [wd], categories: [all]}
			  versions:
			  - name: v1
			    served: true
			    storage: true
			    subresources: {status: {}}
			    additionalPrinterColumns: [{name: Size, type: integer, jsonPath: .spec.size}]
			    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
			""";

	@TempDir
	private Path folder;

	private final List<String> command = command();

	private final EmbeddedKubernetes api = EmbeddedKubernetes.builder()
		.tls()
		.user("admin", "admin-token", ApiUser::allowAll)
		.user("viewer", "viewer-token", (viewer) -> viewer.allow("get,list,watch", "pods", "default"))
		.start();

	private static List<String> command() {
		String command = System.getProperty("kubectl", "");
		if (command.isBlank()) {
			String reason = "Skipped: there is no kubectl; name its command by -Dkubectl=\"COMMAND\"";
			logger.warn(reason);
			throw new TestAbortedException(reason);
		}
		return List.of(command.trim().split(" +"));
	}

	@BeforeEach
	void setUp() {
		this.api.writeKubeconfig(this.folder.resolve("config"));
	}

	@AfterEach
	void tearDown() {
		this.api.close();
	}

	@Test
	void getWhenPodsExistShouldPrintThem() {
		pod("web", "Running");
		assertThat(run("get", "pods")).containsPattern("NAME +AGE").containsPattern("web +\\d+s");
		assertThat(run("get", "pods", "-A")).containsPattern("default +web");
		assertThat(run("get", "pod/web", "-o", "yaml")).contains("kind: Pod", "nodeName: node-1");
		assertThat(run("get", "pods", "-o", "name")).isEqualToIgnoringWhitespace("pod/web");
		assertThat(run("describe", "pod", "web")).contains("Name:", "web", "node-1");
	}

	@Test
	void getWhenWatchingShouldPrintEachChange() throws Exception {
		pod("web", "Pending");
		Path output = this.folder.resolve("watch.txt");
		Process process = start(output, "get", "pods", "-w");
		try {
			await().until(() -> Files.readString(output).contains("web"));
			await().until(() -> this.api.openWatches() == 1);
			V1Pod pod = TestObjects.pod("default", "web").status(new V1PodStatus().phase("Running"));
			this.api.resources(V1Pod.class).update(pod);
			pod("other", "Pending");
			await().untilAsserted(() -> assertThat(Files.readAllLines(output)).hasSize(4));
			assertThat(Files.readAllLines(output).get(0)).startsWith("NAME");
			assertThat(Files.readAllLines(output).get(2)).startsWith("web ");
			assertThat(Files.readAllLines(output).get(3)).startsWith("other ");
		}
		finally {
			process.destroy();
			process.waitFor(5, TimeUnit.SECONDS);
		}
	}

	@Test
	void discoveryWhenAskedShouldNameResourcesAndVersions() {
		assertThat(run("api-resources")).containsPattern("pods +po +v1 +true +Pod")
			.containsPattern("deployments +deploy +apps/v1 +true +Deployment");
		assertThat(run("api-resources", "--categories=all", "-o", "name")).contains("deployments.apps", "pods")
			.doesNotContain("configmaps");
		assertThat(run("api-versions")).contains("v1\n", "apps/v1\n", "batch/v1\n");
		assertThat(run("version")).contains("Server Version: v1.37.");
		assertThat(run("get", "--raw", "/readyz?verbose")).endsWith("readyz check passed\n");
		assertThat(run("get", "--raw", "/api/v1/namespaces/default/configmaps"))
			.startsWith("{\"kind\":\"ConfigMapList\"");
	}

	@Test
	void explainShouldShowBuiltInTypes() {
		assertThat(run("explain", "pod.spec.containers")).contains("image\t<string>", "ports\t<[]ContainerPort>");
		assertThat(run("explain", "deployments.spec.strategy.type")).contains("FIELD: type <string>", "Recreate");
	}

	@Test
	void applyWhenFieldIsUnknownShouldBeRefused() {
		assertThatThrownBy(() -> run("apply", "-f", file("""
				apiVersion: v1
				kind: ConfigMap
				metadata: {name: settings}
				datta: {color: blue}
				"""))).hasMessageContaining("strict decoding error: unknown field \"datta\"");
	}

	@Test
	void createAndDeleteWhenConfigMapShouldWriteIt() {
		assertThat(run("create", "-f", file("""
				apiVersion: v1
				kind: ConfigMap
				metadata: {name: settings}
				data: {color: blue}
				"""))).isEqualTo("configmap/settings created\n");
		assertThat(run("get", "cm", "settings", "-o", "jsonpath={.data.color}")).isEqualTo("blue");
		assertThat(run("delete", "cm", "settings")).startsWith("configmap \"settings\" deleted");
		assertThat(this.api.resources(V1ConfigMap.class).list()).isEmpty();
	}

	@Test
	void applyWhenRepeatedShouldChangeWhatDiffers() {
		String settings = """
				apiVersion: v1
				kind: ConfigMap
				metadata: {name: settings}
				data: {color: blue}
				""";
		assertThat(run("apply", "-f", file(settings))).isEqualTo("configmap/settings created\n");
		assertThat(run("apply", "-f", file(settings))).isEqualTo("configmap/settings unchanged\n");
		assertThat(run("apply", "-f", file(settings.replace("blue", "red"))))
			.isEqualTo("configmap/settings configured\n");
		assertThat(configMap("settings").getData()).containsEntry("color", "red");
		assertThat(run("apply", "--server-side", "--force-conflicts", "-f", file(settings)))
			.isEqualTo("configmap/settings serverside-applied\n");
		assertThat(configMap("settings").getData()).containsEntry("color", "blue");
	}

	@Test
	void patchWhenOfEachTypeShouldChangeTheObject() {
		this.api.resources(V1ConfigMap.class).create(TestObjects.configMap("a", "1"));
		run("patch", "cm", "a", "--type=merge", "-p", "{\"data\":{\"value\":\"2\"}}");
		assertThat(configMap("a").getData()).containsEntry("value", "2");
		run("patch", "cm", "a", "--type=json", "-p", "[{\"op\":\"replace\",\"path\":\"/data/value\",\"value\":\"3\"}]");
		assertThat(configMap("a").getData()).containsEntry("value", "3");
		run("patch", "cm", "a", "-p", "{\"data\":{\"value\":\"4\"}}");
		assertThat(configMap("a").getData()).containsEntry("value", "4");
		run("label", "cm", "a", "x=y");
		assertThat(configMap("a").getMetadata().getLabels()).containsEntry("x", "y");
	}

	@Test
	void customResourceWhenDefinedShouldBeUsable() {
		assertThat(run("apply", "-f", file(WIDGETS))).contains("widgets.example.com created");
		String widget = """
				apiVersion: example.com/v1
				kind: Widget
				metadata: {name: one}
				spec: {size: 3}
				""";
		assertThat(run("apply", "-f", file(widget))).isEqualTo("widget.example.com/one created\n");
		assertThat(run("apply", "-f", file(widget.replace("3", "4")))).isEqualTo("widget.example.com/one configured\n");
		assertThat(run("get", "wd")).containsPattern("NAME +SIZE").containsPattern("one +4");
		assertThat(run("get", "all")).contains("widget.example.com/one");
		assertThat(run("patch", "wd", "one", "--type=merge", "-p", "{\"spec\":{\"size\":5}}")).contains("patched");
		assertThat(run("wait", "--for=condition=Established", "crd/widgets.example.com")).contains("condition met");
		assertThat(run("delete", "wd", "one")).contains("deleted");
		assertThat(run("delete", "crd", "widgets.example.com")).contains("deleted");
		assertThat(run("api-resources")).doesNotContain("widgets");
	}

	@Test
	void explainWhenCustomResourceIsDefinedShouldShowItsSchema() {
		String schema = "{type: object, properties: {spec: {type: object, description: What is wanted, required: [size],"
				+ " properties: {size: {type: integer, description: Number of things, minimum: 1}}}}}";
		run("apply", "-f", file(WIDGETS.replace("{type: object, x-kubernetes-preserve-unknown-fields: true}", schema)));
		assertThat(run("explain", "widgets")).contains("GROUP:", "example.com", "KIND:", "Widget", "metadata", "spec",
				"What is wanted");
		assertThat(run("explain", "widgets.spec.size")).contains("<integer>", "Number of things");
		assertThat(fail("apply", "-f", file("""
				apiVersion: example.com/v1
				kind: Widget
				metadata: {name: one}
				spec: {size: 0, colour: red}
				"""))).contains("strict decoding error: unknown field \"spec.colour\"");
	}

	@Test
	void viewerWhenNotAllowedShouldBeRefused() {
		assertThat(run("--context=viewer", "auth", "can-i", "list", "pods")).isEqualTo("yes\n");
		assertThat(run("auth", "can-i", "delete", "nodes")).contains("yes");
		pod("web", "Running");
		assertThat(run("--context=viewer", "get", "pods")).contains("web");
		assertThat(fail("--context=viewer", "get", "secrets")).contains("Error from server (Forbidden): secrets is "
				+ "forbidden: User \"viewer\" cannot list resource \"secrets\" in API group \"\" in the namespace "
				+ "\"default\"");
		this.api.user("viewer").allow("list", "secrets");
		assertThat(run("--context=viewer", "get", "secrets")).contains("No resources found");
		assertThat(run("auth", "whoami")).contains("admin");
	}

	private void pod(String name, String phase) {
		this.api.resources(V1Pod.class).create(TestObjects.pod("default", name).status(new V1PodStatus().phase(phase)));
	}

	private V1ConfigMap configMap(String name) {
		V1ConfigMap configMap = this.api.resources(V1ConfigMap.class).get(name);
		return (configMap != null) ? configMap : new V1ConfigMap().metadata(new V1ObjectMeta());
	}

	private String file(String yaml) {
		try {
			return Files.writeString(this.folder.resolve("input.yaml"), yaml).toString();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private String run(String... arguments) {
		return run(0, arguments);
	}

	private String fail(String... arguments) {
		return run(1, arguments);
	}

	private String run(int status, String... arguments) {
		Path output = this.folder.resolve("output.txt");
		try {
			Process process = start(output, arguments);
			assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("kubectl %s ends", List.of(arguments)).isTrue();
			String text = Files.readString(output);
			assertThat(process.exitValue()).as("kubectl %s: %s", List.of(arguments), text).isEqualTo(status);
			return text;
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

	private Process start(Path output, String... arguments) throws IOException {
		List<String> line = new ArrayList<>(this.command);
		line.add("--kubeconfig=" + this.folder.resolve("config"));
		line.add("--cache-dir=" + this.folder.resolve("cache"));
		line.addAll(List.of(arguments));
		return new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile()).start();
	}

}
