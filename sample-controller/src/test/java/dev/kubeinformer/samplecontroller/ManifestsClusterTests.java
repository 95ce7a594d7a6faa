package dev.kubeinformer.samplecontroller;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.Pair;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.openapi.models.AuthenticationV1TokenRequest;
import io.kubernetes.client.openapi.models.V1TokenRequestSpec;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import okhttp3.Call;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.yaml.snakeyaml.Yaml;

import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spring.test.EmbeddedKubernetesTest;
import dev.kubeinformer.spring.test.KubernetesManifests;
import dev.kubeinformer.test.RequiresCluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests on a real kube-apiserver of whether it accepts the manifests of the application,
 * and whether they grant all that the application does.
 */
@RequiresCluster
@SpringBootTest(properties = { "kubernetes.leader.enabled=true", "server.address=0.0.0.0" })
@EmbeddedKubernetesTest
class ManifestsClusterTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final ResourceType<Foo> FOOS = ResourceType.of(Foo.class);

	/** Paths by kind. */
	private static final Map<String, String> PATHS = Map.of("Namespace", "/api/v1/namespaces",
			"CustomResourceDefinition", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "ServiceAccount",
			"/api/v1/namespaces/%s/serviceaccounts", "ClusterRole", "/apis/rbac.authorization.k8s.io/v1/clusterroles",
			"ClusterRoleBinding", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", "Role",
			"/apis/rbac.authorization.k8s.io/v1/namespaces/%s/roles", "RoleBinding",
			"/apis/rbac.authorization.k8s.io/v1/namespaces/%s/rolebindings", "Deployment",
			"/apis/apps/v1/namespaces/%s/deployments", "Service", "/api/v1/namespaces/%s/services");

	private final String namespace = "manifests-" + UUID.randomUUID().toString().substring(0, 8);

	private final Deque<String> created = new ArrayDeque<>();

	private ApiClient admin;

	@TempDir
	private Path directory;

	@AfterEach
	void cleanUp() throws IOException, ApiException {
		while (!this.created.isEmpty()) {
			send("DELETE", this.created.pop(), null);
		}
	}

	@Test
	void manifestsShouldBeAcceptedAndBeEnough(@Autowired ApplicationContext context, Path kubeconfig) throws Exception {
		this.admin = ClientBuilder.kubeconfig(read(kubeconfig)).build();
		String manifests = KubernetesManifests.of(context)
			.withNamespace(this.namespace)
			.withImage("registry.example.com/sample-controller:1")
			.withService()
			.toYaml();
		for (Object document : new Yaml().loadAll(manifests)) {
			apply((Map<?, ?>) document);
		}
		// "crd Established" takes a moment.
		await().atMost(LONG).until(() -> foos().httpCode() == 200);
		try (ConfigurableApplicationContext application = SpringApplication.run(SampleControllerApplication.class,
				"--spring.main.web-application-type=none", "--kubernetes.leader.enabled=true",
				"--kubernetes.client.kubeconfig=" + withToken(kubeconfig))) {
			await().atMost(LONG).until(() -> application.getBean(Leadership.class).isLeader());
			Foo foo = Foos.foo(this.namespace, "web", 1);
			new CustomObjectsApi(this.admin)
				.createNamespacedCustomObject(FOOS.group(), FOOS.version(), this.namespace, "foos",
						JSON.getGson().toJsonTree(foo).getAsJsonObject())
				.execute();
			await().atMost(LONG)
				.untilAsserted(() -> assertThat(
						new AppsV1Api(this.admin).listNamespacedDeployment(this.namespace).execute().getItems())
					.anyMatch((deployment) -> deployment.getMetadata().getName().equals("web")));
			await().atMost(LONG).untilAsserted(() -> assertThat(foos().body()).contains("\"availableReplicas\""));
		}
	}

	private void apply(Map<?, ?> document) throws IOException, ApiException {
		String kind = String.valueOf(document.get("kind"));
		Map<?, ?> metadata = (Map<?, ?>) document.get("metadata");
		String path = PATHS.get(kind).formatted(metadata.get("namespace")) + "/" + metadata.get("name");
		String body = new Yaml().dump(document);
		List<String> problems = new ArrayList<>();
		for (String query : List.of("?fieldManager=test&fieldValidation=Strict&dryRun=All",
				"?fieldManager=test&fieldValidation=Strict")) {
			Answer answer = send("PATCH", path + query, body);
			if (answer.httpCode() > 201 || !answer.warnings().isEmpty()) {
				problems.add(answer.toString());
			}
		}
		this.created.push(path);
		assertThat(problems).as(body).isEmpty();
	}

	private Answer foos() throws IOException, ApiException {
		return send("GET", FOOS.path(this.namespace), null);
	}

	private Answer send(String method, String path, String body) throws IOException, ApiException {
		int query = path.indexOf('?');
		List<Pair> parameters = new ArrayList<>();
		for (String parameter : (query < 0) ? new String[0] : path.substring(query + 1).split("&")) {
			parameters.add(new Pair(parameter.split("=")[0], parameter.split("=")[1]));
		}
		Call call = this.admin.buildCall(null, (query < 0) ? path : path.substring(0, query), method, parameters,
				List.of(), (body != null) ? body.getBytes(StandardCharsets.UTF_8) : null,
				new HashMap<>(Map.of("Content-Type", "application/apply-patch+yaml")), new HashMap<>(), Map.of(),
				new String[] { "BearerToken" }, null);
		try (Response response = call.execute()) {
			return new Answer(response.code(), response.headers("Warning"), response.body().string());
		}
	}

	private static KubeConfig read(Path kubeconfig) throws IOException {
		try (Reader reader = Files.newBufferedReader(kubeconfig)) {
			KubeConfig config = KubeConfig.loadKubeConfig(reader);
			config.setFile(kubeconfig.toFile());
			return config;
		}
	}

	@SuppressWarnings("unchecked")
	private Path withToken(Path kubeconfig) throws Exception {
		String token = new CoreV1Api(this.admin)
			.createNamespacedServiceAccountToken("sample-controller", this.namespace,
					new AuthenticationV1TokenRequest()
						.spec(new V1TokenRequestSpec().audiences(List.of()).expirationSeconds(3600L)))
			.execute()
			.getStatus()
			.getToken();
		Map<String, Object> config = new Yaml().load(Files.readString(kubeconfig));
		config.put("users", List.of(Map.of("name", "account", "user", Map.of("token", token))));
		List<Map<String, Object>> clusters = (List<Map<String, Object>>) config.get("clusters");
		config.put("contexts", List.of(Map.of("name", "account", "context",
				Map.of("cluster", clusters.get(0).get("name"), "user", "account", "namespace", this.namespace))));
		config.put("current-context", "account");
		return Files.writeString(this.directory.resolve("kubeconfig"), new Yaml().dump(config));
	}

	/**
	 * Answer of the API server.
	 *
	 * @param httpCode the code
	 * @param warnings the warnings
	 * @param body the body
	 */
	record Answer(int httpCode, List<String> warnings, String body) {

	}

}
