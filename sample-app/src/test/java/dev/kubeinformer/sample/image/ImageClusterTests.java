package dev.kubeinformer.sample.image;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1HTTPGetAction;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.Yaml;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

import dev.kubeinformer.test.RequiresCluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the manifests on a real API server, and of the image that they run: as no
 * kubelet is there, its tree is made by the steps of the Dockerfile, and started as the
 * Dockerfile and the Deployment say, with the rights of the manifests alone.
 */
@Tag("slow")
@RequiresCluster(properties = "kubectl")
class ImageClusterTests {

	private static final String NAME = "informer-sample";

	private static final String DEFINITION = "servicemonitors.monitoring.coreos.com";

	private static final String MANIFESTS = "src/main/k8s/";

	private static final String BASE = MANIFESTS + "base";

	private static final String MONITORING = MANIFESTS + "overlays/monitoring";

	private static final Duration LONG = Duration.ofSeconds(120);

	private static boolean mayBeRemoved;

	@TempDir
	private static Path folder;

	private static Kubectl kubectl;

	@BeforeAll
	static void apply(Path kubeconfig) throws IOException {
		// Others than root look into it.
		Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
		kubectl = new Kubectl(kubeconfig.toAbsolutePath(), folder);
		assertThat(kubectl.run("get", "namespace", NAME, "--ignore-not-found"))
			.as("a namespace that is not of these tests, and that they would remove")
			.isEmpty();
		mayBeRemoved = true;
		assertThat(kubectl.run("apply", "-k", BASE, "--validate=strict")).contains("deployment.apps/" + NAME)
			.doesNotContain("Warning");
	}

	@AfterAll
	static void remove() throws IOException {
		if (mayBeRemoved) {
			kubectl.run("delete", "leases,pods", "--all", "-n", NAME, "--force", "--grace-period=0");
			kubectl.run("delete", "-k", BASE, "--wait=false");
			kubectl.finalizeNamespace(NAME);
		}
	}

	@Test
	void serviceMonitorShouldBeAppliedWhereItsDefinitionIs() {
		assertThat(kubectl.fail("apply", "-k", MONITORING, "--dry-run=server"))
			.contains("no matches for kind \"ServiceMonitor\"");
		kubectl.run("apply", "--server-side", "-f", "src/test/resources/k8s/servicemonitors.yaml");
		try {
			kubectl.run("wait", "--for=condition=Established", "crd/" + DEFINITION);
			assertThat(kubectl.run("apply", "-k", MONITORING, "--validate=strict"))
				.contains("servicemonitor.monitoring.coreos.com/informer-sample created")
				.doesNotContain("Warning");
			assertThat(selects(List.of("get", "servicemonitor", NAME, "-n", NAME, "-o",
					"jsonpath={.spec.selector.matchLabels}|{.spec.endpoints[*].port}|{.spec.endpoints[*].path}")))
				.isEqualTo("{\"app.kubernetes.io/name\":\"informer-sample\"}|management|/actuator/prometheus");
		}
		finally {
			kubectl.run("delete", "crd", DEFINITION);
		}
	}

	private static String selects(List<String> arguments) {
		return kubectl.run(arguments.toArray(String[]::new));
	}

	@Test
	void partsShouldMeet() throws IOException {
		V1Deployment deployment = deployment();
		Map<String, String> labels = deployment.getSpec().getTemplate().getMetadata().getLabels();
		V1Container container = pod().getContainers().get(0);
		V1Service service = kubectl.get(V1Service.class, NAME, "service/" + NAME);
		assertThat(labels).containsAllEntriesOf(service.getSpec().getSelector())
			.containsAllEntriesOf(kubectl.get(V1PodDisruptionBudget.class, NAME, "pdb/" + NAME)
				.getSpec()
				.getSelector()
				.getMatchLabels());
		assertThat(container.getPorts()).singleElement().satisfies((port) -> {
			assertThat(port.getName()).isEqualTo("management");
			assertThat(port.getContainerPort()).isEqualTo(setting("management.server.port"));
			assertThat(service.getSpec().getPorts()).extracting((of) -> of.getTargetPort().getStrValue())
				.containsExactly(port.getName());
			assertThat(
					List.of(container.getStartupProbe(), container.getLivenessProbe(), container.getReadinessProbe()))
				.extracting((probe) -> probe.getHttpGet().getPort().getStrValue())
				.containsOnly(port.getName());
			assertThat(Dockerfile.read(Path.of("Dockerfile")).image().last("EXPOSE"))
				.isEqualTo(String.valueOf(port.getContainerPort()));
		});
		Duration phase = Duration.ofSeconds(20);
		assertThat(setting("spring.lifecycle.timeout-per-shutdown-phase")).isEqualTo(phase.toSeconds() + "s");
		// Requests end in one phase, handlers in another.
		assertThat(Duration.ofSeconds(pod().getTerminationGracePeriodSeconds()))
			.isGreaterThan(Duration.ofSeconds(container.getLifecycle().getPreStop().getSleep().getSeconds())
				.plus(phase.multipliedBy(2)));
		assertThat(setting("kubernetes.informers.shutdown.drain-timeout")).isEqualTo("15s");
	}

	private static Object setting(String name) throws IOException {
		byte[] yaml = configMap().getData().get("application.yml").getBytes();
		List<PropertySource<?>> sources = new YamlPropertySourceLoader().load("config", new ByteArrayResource(yaml));
		return sources.get(0).getProperty(name);
	}

	@Test
	void imageShouldHaveItsDependenciesInALayerOfTheirOwn() throws Exception {
		Dockerfile dockerfile = Dockerfile.read(Path.of("Dockerfile"));
		ImageTree image = new ImageTree(dockerfile, Path.of(""), Files.createDirectory(folder.resolve("layers")));
		assertThat(dockerfile.image().last("USER")).matches("[1-9][0-9]+:[1-9][0-9]+");
		List<String> layers = dockerfile.image().all("COPY");
		assertThat(layers).hasSize(4).first().asString().contains("/dependencies/");
		assertThat(layers).last().asString().contains("/application/");
		Path layered = image.stage("layers").resolve("layers/extracted");
		assertThat(names(layered.resolve("dependencies"))).noneMatch((name) -> name.contains("informer"))
			.anyMatch((name) -> name.startsWith("client-java-"));
		assertThat(names(layered.resolve("application"))).contains("informer-sample.jar")
			.allMatch((name) -> name.contains("informer"));
		assertThat(names(image.root())).hasSameElementsAs(Stream
			.concat(names(layered.resolve("dependencies")).stream(), names(layered.resolve("application")).stream())
			.toList());
	}

	private static List<String> names(Path directory) throws IOException {
		try (Stream<Path> files = Files.walk(directory)) {
			return files.filter(Files::isRegularFile).map((file) -> file.getFileName().toString()).toList();
		}
	}

	@Test
	void imageShouldRunAsTheManifestsSay() throws Exception {
		assumeThat(System.getProperty("user.name")).as("root, who alone can make the root of a container")
			.isEqualTo("root");
		assumeThat(succeeds("unshare", "--mount", "setpriv", "--no-new-privs", "true"))
			.as("unshare and setpriv of util-linux")
			.isTrue();
		V1PodSpec pod = pod();
		Dockerfile dockerfile = Dockerfile.read(Path.of("Dockerfile"));
		ImageTree image = new ImageTree(dockerfile, Path.of(""), Files.createDirectory(folder.resolve("image")));
		String checked = "checked-" + UUID.randomUUID();
		Duration gracePeriod = Duration.ofSeconds(pod.getTerminationGracePeriodSeconds());
		try (Container first = start("first", dockerfile, image, pod)) {
			awaitProbes(first, pod);
			await().atMost(LONG).until(() -> leads(first));
			assertThat(first.status()).anyMatch((line) -> line.matches("Uid:\\s+65532\\s+65532\\s.*"))
				.anyMatch((line) -> line.matches("CapBnd:\\s+0+"))
				.anyMatch((line) -> line.matches("NoNewPrivs:\\s+1"));
			assertThat(first.log()).contains("(service account)", "started by ? in /application");
			try (Container second = start("second", dockerfile, image, pod)) {
				awaitProbes(second, pod);
				assertThat(leads(second)).isFalse();
				// The pod that the Deployment would make, and that the namespace takes.
				assertThat(kubectl.run("create", "--validate=strict", "-f", file(checked, pod)))
					.isEqualTo("pod/%s created\n".formatted(checked));
				for (Container replica : List.of(first, second)) {
					await().atMost(LONG).until(() -> replica.log().contains("ADDED   %s/%s".formatted(NAME, checked)));
				}
				assertThat(first.get("/actuator/prometheus").body()).contains("kubernetes_informer_synced{");
				assertThat(first.get("/actuator/informers").status()).isEqualTo(404);
				assertThat(first.stop(gracePeriod)).isEqualTo(143);
				await().atMost(LONG).until(() -> leads(second));
				assertThat(second.stop(gracePeriod)).isEqualTo(143);
				assertThat(first.log() + second.log()).doesNotContain("forbidden", "ERROR");
			}
		}
		assertThat(rights("list pods -A")).isEqualTo("yes");
		assertThat(rights("list secrets -A")).isEqualTo("no");
		assertThat(rights("delete leases/informer-sample -n " + NAME)).isEqualTo("no");
	}

	private static String rights(String question) {
		List<String> arguments = Stream
			.concat(Stream.of("auth", "can-i", "--as=system:serviceaccount:%s:%s".formatted(NAME, NAME)),
					Stream.of(question.split(" ")))
			.toList();
		return question.startsWith("list pods") ? selects(arguments).strip()
				: kubectl.fail(arguments.toArray(String[]::new)).strip();
	}

	private static boolean succeeds(String... command) throws InterruptedException {
		try {
			return new ProcessBuilder(command).start().waitFor() == 0;
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static Container start(String name, Dockerfile dockerfile, ImageTree image, V1PodSpec pod)
			throws Exception {
		V1ConfigMap config = configMap();
		URI server = server();
		Map<String, String> account = Map.of("token",
				kubectl.run("create", "token", pod.getServiceAccountName(), "-n", NAME).strip(), "namespace", NAME,
				"ca.crt", authority(server));
		return new Container(name, dockerfile, image, pod, Map.of(config.getMetadata().getName(), config.getData()),
				account, server);
	}

	private static void awaitProbes(Container container, V1PodSpec pod) {
		V1Container spec = pod.getContainers().get(0);
		List.of(spec.getStartupProbe(), spec.getLivenessProbe(), spec.getReadinessProbe()).forEach((probe) -> {
			V1HTTPGetAction request = probe.getHttpGet();
			await().atMost(LONG).untilAsserted(() -> {
				assertThat(container.isRunning()).as(container::log).isTrue();
				assertThat(container.get(request.getPath()).status()).as(container::log).isEqualTo(200);
			});
		});
	}

	private static boolean leads(Container container) {
		return container.get("/actuator/prometheus")
			.body()
			.contains("kubernetes_leader{lease=\"%s/%s\"} 1.0".formatted(NAME, NAME));
	}

	private static V1Deployment deployment() {
		return kubectl.get(V1Deployment.class, NAME, "deployment/" + NAME);
	}

	private static V1PodSpec pod() {
		return deployment().getSpec().getTemplate().getSpec();
	}

	private static V1ConfigMap configMap() {
		String name = pod().getVolumes()
			.stream()
			.filter((volume) -> volume.getConfigMap() != null)
			.map((volume) -> volume.getConfigMap().getName())
			.findFirst()
			.orElseThrow();
		return kubectl.get(V1ConfigMap.class, NAME, "configmap/" + name);
	}

	private static String file(String name, V1PodSpec spec) throws IOException {
		V1Pod pod = new V1Pod().apiVersion("v1")
			.kind("Pod")
			.metadata(new V1ObjectMeta().namespace(NAME).name(name))
			// The model has an empty one where there was none.
			.spec(spec.overhead(null));
		return Files.writeString(folder.resolve("pod.yaml"), Yaml.dump(pod)).toString();
	}

	private static URI server() throws IOException {
		try (var reader = Files.newBufferedReader(kubectl.kubeconfig())) {
			return URI.create(KubeConfig.loadKubeConfig(reader).getServer());
		}
	}

	/**
	 * Returns the certificate of the authority that signed the API server's certificate.
	 * No controller puts it into each namespace.
	 */
	private static String authority(URI server) throws Exception {
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(null, new TrustManager[] { new TrustsEverybody() }, null);
		try (SSLSocket socket = (SSLSocket) context.getSocketFactory()
			.createSocket(server.getHost(), server.getPort())) {
			socket.startHandshake();
			Certificate[] chain = socket.getSession().getPeerCertificates();
			return "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n"
				.formatted(Base64.getMimeEncoder().encodeToString(chain[chain.length - 1].getEncoded()));
		}
	}

	/**
	 * Trust in the server that the kubeconfig names.
	 */
	private static final class TrustsEverybody implements X509TrustManager {

		@Override
		public void checkClientTrusted(X509Certificate[] chain, String authType) {
		}

		@Override
		public void checkServerTrusted(X509Certificate[] chain, String authType) {
		}

		@Override
		public X509Certificate[] getAcceptedIssuers() {
			return new X509Certificate[0];
		}

	}

}
