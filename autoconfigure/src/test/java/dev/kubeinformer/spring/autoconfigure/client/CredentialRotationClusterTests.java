package dev.kubeinformer.spring.autoconfigure.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.RbacAuthorizationV1Api;
import io.kubernetes.client.openapi.models.AuthenticationV1TokenRequest;
import io.kubernetes.client.openapi.models.RbacV1Subject;
import io.kubernetes.client.openapi.models.V1BoundObjectReference;
import io.kubernetes.client.openapi.models.V1ClusterRoleBinding;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1RoleRef;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import io.kubernetes.client.openapi.models.V1TokenRequestSpec;
import io.kubernetes.client.util.PatchUtils;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.client.ClientEnvironment;
import dev.kubeinformer.client.Clients;
import dev.kubeinformer.client.ManagedApiClient;
import dev.kubeinformer.test.FaultProxy;
import dev.kubeinformer.test.RequiresCluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests on a real kube-apiserver whose certificates are exchanged, and whose clients have
 * certificates and tokens that expire: each way to have them, through three exchanges.
 * The old ones are not valid any more when the next exchange comes, and all connections
 * are cut after each.
 */
@Tag("slow")
@RequiresCluster(properties = RotatingApiServer.PROGRAM)
@ExtendWith(OutputCaptureExtension.class)
class CredentialRotationClusterTests {

	private static final int EXCHANGES = 3;

	private static final Duration LIFE = Duration.ofSeconds(30);

	private static final Duration BETWEEN = Duration.ofSeconds(22);

	private static final Duration GAP = Duration.ofSeconds(5);

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final String USER = "rotated";

	private static final String ACCOUNTS = "accounts";

	private final ScheduledExecutorService ticks = Executors.newSingleThreadScheduledExecutor();

	private final AtomicLong number = new AtomicLong();

	private final List<RotationParticipant> participants = new ArrayList<>();

	private final List<AutoCloseable> closed = new ArrayList<>();

	@TempDir
	private Path folder;

	private RotatingApiServer server;

	private FaultProxy network;

	private CoreV1Api core;

	private String url;

	@BeforeEach
	void start() throws Exception {
		this.server = new RotatingApiServer(Files.createDirectory(this.folder.resolve("server")));
		this.network = FaultProxy.to("127.0.0.1", this.server.port());
		this.url = "https://127.0.0.1:" + this.network.port();
		this.core = new CoreV1Api(this.server.admin());
		allow(new RbacV1Subject().apiGroup("rbac.authorization.k8s.io").kind("User").name(USER));
		allow(new RbacV1Subject().kind("ServiceAccount").namespace(ACCOUNTS).name("default"));
		this.core.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(ACCOUNTS))).execute();
		this.core
			.createNamespacedServiceAccount(ACCOUNTS,
					new V1ServiceAccount().metadata(new V1ObjectMeta().name("default")))
			.execute();
	}

	private void allow(RbacV1Subject subject) throws ApiException {
		new RbacAuthorizationV1Api(this.server.admin())
			.createClusterRoleBinding(new V1ClusterRoleBinding()
				.metadata(new V1ObjectMeta().name("allow-" + subject.getName()))
				.roleRef(
						new V1RoleRef().apiGroup("rbac.authorization.k8s.io").kind("ClusterRole").name("cluster-admin"))
				.addSubjectsItem(subject))
			.execute();
	}

	@AfterEach
	void stop() throws Exception {
		this.ticks.shutdownNow();
		for (RotationParticipant participant : this.participants) {
			participant.close();
		}
		for (AutoCloseable closed : this.closed) {
			closed.close();
		}
		this.network.close();
		this.server.close();
	}

	@Test
	void everyExchangeShouldGoUnnoticedButForOneLine(CapturedOutput output) throws Exception {
		exchangePluginCertificate();
		exchangeClientFiles();
		exchangeAuthorities(this.server.authority());
		Path pod = Files.createDirectory(this.folder.resolve("pod"));
		exchangeServiceAccount(pod, 0);
		participate("plugin", kubeconfig("plugin", "insecure-skip-tls-verify: true", """
				exec:
				        apiVersion: client.authentication.k8s.io/v1
				        command: %s
				        interactiveMode: Never""".formatted(plugin())));
		participate("files", kubeconfig("files", "insecure-skip-tls-verify: true", """
				client-certificate: client.pem
				      client-key: client.key"""));
		participate("authority", kubeconfig("authority", "certificate-authority: ca.pem", "token: admin-token"));
		participate("pod", build(Clients.inCluster(new ClientEnvironment(Map.of("KUBERNETES_SERVICE_HOST", "127.0.0.1",
				"KUBERNETES_SERVICE_PORT", String.valueOf(this.network.port()))::get, this.folder, pod))));
		participate("property", context("kubernetes.client.ca=" + this.folder.resolve("ca.pem")));
		participate("bundle",
				context("kubernetes.client.ssl.bundle=cluster", "spring.ssl.bundle.pem.cluster.reload-on-update=true",
						"spring.ssl.bundle.watch.file.quiet-period=200ms",
						"spring.ssl.bundle.pem.cluster.truststore.certificate=file:" + this.folder.resolve("ca.pem")));
		this.ticks.scheduleWithFixedDelay(this::tick, 0, 1000, TimeUnit.MILLISECONDS);
		await().atMost(LONG).until(() -> this.participants.stream().allMatch(RotationParticipant::isAtWork));
		long from = System.nanoTime();
		long due = from;
		for (int i = 1; i <= EXCHANGES; i++) {
			due += BETWEEN.toNanos();
			long next = due;
			await().atMost(LONG).until(() -> System.nanoTime() - next >= 0);
			exchangePluginCertificate();
			exchangeClientFiles();
			exchangeAuthorities(this.server.nextAuthority());
			exchangeServiceAccount(pod, i);
			this.server.serveNext();
			this.network.dropConnections();
			String now = String.valueOf(this.number.get());
			await().atMost(LONG)
				.untilAsserted(() -> assertThat(this.participants)
					.allSatisfy((participant) -> assertThat(Long.parseLong(participant.number())).as(participant.name())
						.isGreaterThan(Long.parseLong(now))));
		}
		// Until the last one but one is invalid for sure.
		long end = System.nanoTime() + LIFE.toNanos() - BETWEEN.toNanos();
		await().atMost(LONG).until(() -> System.nanoTime() - end >= 0);
		long until = System.nanoTime();
		assertThat(this.participants).allSatisfy((participant) -> {
			assertThat(participant.longestGapOfEvents(from, until)).as("events of " + participant.name())
				.isLessThan(GAP);
			assertThat(participant.longestGapOfWrites(from, until)).as("writes of " + participant.name())
				.isLessThan(GAP);
			assertThat(participant.relists()).as(participant.name()).isEmpty();
		});
		assertThat(List.of("was replaced: credential plugin", "was replaced: client certificate in",
				"was replaced: token file", "authority.yaml.* which has changed", "pod/ca.crt.* which has changed",
				"kubernetes.client.* which has changed", "use the reloaded SSL bundle 'cluster'"))
			.allSatisfy(
					(line) -> assertThat(output.toString().lines().filter(Pattern.compile(line).asPredicate())).as(line)
						.hasSize(EXCHANGES));
	}

	private void tick() {
		long next = this.number.incrementAndGet();
		for (RotationParticipant participant : List.copyOf(this.participants)) {
			try {
				V1Patch patch = new V1Patch("{\"data\":{\"number\":\"%d\"}}".formatted(next));
				PatchUtils.patch(V1ConfigMap.class,
						() -> this.core.patchNamespacedConfigMap("tick", participant.name(), patch).buildCall(null),
						V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, this.server.admin());
			}
			catch (ApiException ex) {
				throw new IllegalStateException("The admin cannot write", ex);
			}
		}
	}

	private void participate(String name, ApiClient client) throws ApiException {
		this.core.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(name))).execute();
		this.core
			.createNamespacedConfigMap(name,
					new V1ConfigMap().metadata(new V1ObjectMeta().name("tick")).data(Map.of("number", "0")))
			.execute();
		this.participants.add(new RotationParticipant(name, client));
	}

	private ApiClient kubeconfig(String name, String cluster, String user) throws IOException {
		Path file = Files.writeString(this.folder.resolve(name + ".yaml"), """
				apiVersion: v1
				kind: Config
				current-context: c
				contexts:
				- name: c
				  context: {cluster: c, user: u}
				clusters:
				- name: c
				  cluster:
				    server: %s
				    %s
				users:
				- name: u
				  user:
				    %s
				""".formatted(this.url, cluster, user.replace("\n      ", "\n    ")));
		return build(Clients.fromKubeconfig(file));
	}

	private ApiClient build(ManagedApiClient.Builder builder) {
		ManagedApiClient client = builder.build();
		this.closed.add(client);
		return client;
	}

	private ApiClient context(String... properties) {
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Client.class).web(WebApplicationType.NONE)
			.properties(properties)
			.properties("kubernetes.client.url=" + this.url, "kubernetes.client.token=admin-token")
			.run();
		this.closed.add(context);
		return context.getBean(ApiClient.class);
	}

	private String plugin() throws IOException {
		Path script = Files.writeString(this.folder.resolve("plugin.sh"), """
				#!/bin/sh
				cat "%s"
				""".formatted(this.folder.resolve("credential.json")));
		Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
		return script.toString();
	}

	private void exchangePluginCertificate() throws IOException {
		HeldCertificate certificate = this.server.client(USER, LIFE);
		RotatingApiServer.replace(this.folder.resolve("credential.json"),
				"""
						{"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": {
						"expirationTimestamp": "%s", "clientCertificateData": "%s", "clientKeyData": "%s"}}
						""".formatted(Instant.ofEpochMilli(certificate.certificate().getNotAfter().getTime()),
						certificate.certificatePem().replace("\n", "\\n"),
						certificate.privateKeyPkcs8Pem().replace("\n", "\\n")));
	}

	private void exchangeClientFiles() throws IOException {
		HeldCertificate certificate = this.server.client(USER, LIFE);
		RotatingApiServer.replace(this.folder.resolve("client.pem"), certificate.certificatePem());
		RotatingApiServer.replace(this.folder.resolve("client.key"), certificate.privateKeyPkcs8Pem());
	}

	private void exchangeAuthorities(String authority) throws IOException {
		RotatingApiServer.replace(this.folder.resolve("ca.pem"), authority);
	}

	/**
	 * Exchanges the folder of a service account as the kubelet does: files are links to
	 * those of a link that is replaced.
	 */
	private void exchangeServiceAccount(Path pod, int generation) throws IOException, ApiException {
		String secret = "token-" + generation;
		V1Secret bound = this.core
			.createNamespacedSecret(ACCOUNTS, new V1Secret().metadata(new V1ObjectMeta().name(secret)))
			.execute();
		String token = this.core.createNamespacedServiceAccountToken("default", ACCOUNTS,
				new AuthenticationV1TokenRequest().spec(new V1TokenRequestSpec().audiences(List.of())
					.expirationSeconds(3600L)
					.boundObjectRef(new V1BoundObjectReference().apiVersion("v1")
						.kind("Secret")
						.name(secret)
						.uid(bound.getMetadata().getUid()))))
			.execute()
			.getStatus()
			.getToken();
		Path data = Files.createDirectory(pod.resolve("..data-" + generation));
		Files.writeString(data.resolve("token"), token + "\n");
		Files.writeString(data.resolve("ca.crt"), this.server.authority());
		Files.writeString(data.resolve("namespace"), ACCOUNTS);
		Path next = Files.createSymbolicLink(pod.resolve("..data_tmp"), data.getFileName());
		Files.move(next, pod.resolve("..data"), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
		if (generation == 0) {
			for (String file : List.of("token", "ca.crt", "namespace")) {
				Files.createSymbolicLink(pod.resolve(file), Path.of("..data", file));
			}
		}
		else {
			// The API server takes the old token for some seconds more, then refuses it.
			this.core.deleteNamespacedSecret("token-" + (generation - 1), ACCOUNTS).execute();
		}
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ SslAutoConfiguration.class, KubernetesClientAutoConfiguration.class })
	static class Client {

	}

}
