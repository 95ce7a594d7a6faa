package dev.kubeinformer.spring.autoconfigure.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import javax.net.ssl.SSLException;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.VersionApi;
import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.InvalidPropertyValueException;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.types.InformerState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests of TLS by an SSL bundle.
 */
@ExtendWith(OutputCaptureExtension.class)
class SslBundleTests {

	private static final String TRUST = "spring.ssl.bundle.pem.cluster.truststore.certificate=";

	private static final String KEYS = "spring.ssl.bundle.pem.cluster.keystore.";

	private static final String BUNDLE = "kubernetes.client.ssl.bundle= cluster ";

	private final ApplicationContextRunner runner = InformerContextRunner.withoutCluster()
		.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class));

	private MutualTlsServer server;

	@TempDir
	private Path directory;

	@BeforeEach
	void start() throws IOException {
		this.server = new MutualTlsServer();
	}

	@AfterEach
	void stop() {
		this.server.close();
	}

	@Test
	void informersShouldConnectByTheBundle() {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().tls().start()) {
			this.runner
				.withPropertyValues("kubernetes.client.url=" + kubernetes.url(), TRUST + kubernetes.caCertificate(),
						BUNDLE)
				.run((context) -> {
					Informer<V1Pod> pods = context.getBean(Informers.class).informer(V1Pod.class);
					await().until(() -> pods.state() == InformerState.LIVE);
				});
		}
	}

	@Test
	void keyStoreShouldAuthenticate() throws Exception {
		HeldCertificate me = this.server.client("me");
		this.runner.withPropertyValues("kubernetes.client.url=" + this.server.url(), TRUST + this.server.authorityPem(),
				KEYS + "certificate=" + me.certificatePem(), KEYS + "private-key=" + me.privateKeyPkcs8Pem(), BUNDLE)
			.run((context) -> assertThat(version(context)).isEqualTo("v1.36.0"));
		assertThat(this.server.requests()).containsExactly("CN=me TLSv1.3");
	}

	@Test
	void optionsShouldBeApplied() {
		HeldCertificate me = this.server.client("me");
		this.runner
			.withPropertyValues("kubernetes.client.url=" + this.server.url(), TRUST + this.server.authorityPem(),
					KEYS + "certificate=" + me.certificatePem(), KEYS + "private-key=" + me.privateKeyPkcs8Pem(),
					"spring.ssl.bundle.pem.cluster.options.enabled-protocols=TLSv1.2",
					"spring.ssl.bundle.pem.cluster.options.ciphers=TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", BUNDLE)
			.run((context) -> {
				version(context);
				assertThat(context.getBean(ApiClient.class).getHttpClient().connectionSpecs().get(0).cipherSuites())
					.hasToString("[TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384]");
			});
		assertThat(this.server.requests()).containsExactly("CN=me TLSv1.2");
	}

	@Test
	void whatTheBundleHasNotShouldBeThatOfTheKubeconfig() throws Exception {
		HeldCertificate me = this.server.client("me");
		Path trusting = kubeconfig("certificate-authority-data: " + base64(this.server.authorityPem()), "");
		this.runner
			.withPropertyValues("kubernetes.client.kubeconfig=" + trusting, KEYS + "certificate=" + me.certificatePem(),
					KEYS + "private-key=" + me.privateKeyPkcs8Pem(), BUNDLE)
			.run((context) -> assertThat(version(context)).isEqualTo("v1.36.0"));
		Path known = kubeconfig("", "client-certificate-data: %s, client-key-data: %s"
			.formatted(base64(me.certificatePem()), base64(me.privateKeyPkcs8Pem())));
		this.runner
			.withPropertyValues("kubernetes.client.kubeconfig=" + known, TRUST + this.server.authorityPem(), BUNDLE)
			.run((context) -> assertThat(version(context)).isEqualTo("v1.36.0"));
		assertThat(this.server.requests()).containsExactly("CN=me TLSv1.3", "CN=me TLSv1.3");
	}

	@Test
	void trustStoreShouldEndTheCarelessnessOfTheKubeconfig() throws Exception {
		HeldCertificate me = this.server.client("me");
		Path careless = kubeconfig("insecure-skip-tls-verify: true", "client-certificate-data: %s, client-key-data: %s"
			.formatted(base64(me.certificatePem()), base64(me.privateKeyPkcs8Pem())));
		this.runner.withPropertyValues("kubernetes.client.kubeconfig=" + careless)
			.run((context) -> assertThat(version(context)).isEqualTo("v1.36.0"));
		try (MutualTlsServer other = new MutualTlsServer()) {
			this.runner
				.withPropertyValues("kubernetes.client.kubeconfig=" + careless, TRUST + other.authorityPem(), BUNDLE)
				.run((context) -> assertThatExceptionOfType(ApiException.class).isThrownBy(() -> version(context))
					.withCauseInstanceOf(SSLException.class));
		}
		Path otherName = Files.writeString(this.directory.resolve("other-name"),
				Files.readString(careless).replace("127.0.0.1", "localhost"));
		this.runner
			.withPropertyValues("kubernetes.client.kubeconfig=" + otherName, TRUST + this.server.authorityPem(), BUNDLE)
			.run((context) -> assertThatExceptionOfType(ApiException.class).isThrownBy(() -> version(context))
				.withCauseInstanceOf(SSLException.class)
				.withMessageContaining("localhost"));
	}

	@Test
	void bundleOfConnectionDetailsShouldBeUsedInsteadOfThatOfTheProperties() {
		SslBundle bundle = bundle(this.server.client("me"));
		this.runner.withPropertyValues("kubernetes.client.ssl.bundle=missing")
			.withBean(KubernetesConnectionDetails.class, () -> new SecureDetails(this.server.url(), bundle))
			.run((context) -> assertThat(version(context)).isEqualTo("v1.36.0"));
		assertThat(this.server.requests()).containsExactly("CN=me TLSv1.3");
	}

	@Test
	void reloadedBundleShouldReplaceTheCertificatesOfOpenConnections(CapturedOutput output) throws Exception {
		write(this.server.client("first"));
		Path trust = Files.writeString(this.directory.resolve("ca.crt"), this.server.authorityPem());
		this.runner
			.withPropertyValues("kubernetes.client.url=" + this.server.url(), TRUST + trust,
					KEYS + "certificate=" + this.directory.resolve("client.crt"),
					KEYS + "private-key=" + this.directory.resolve("client.key"),
					"spring.ssl.bundle.pem.cluster.reload-on-update=true",
					"spring.ssl.bundle.watch.file.quiet-period=10ms", BUNDLE)
			.run((context) -> {
				version(context);
				write(this.server.client("second"));
				// The client may meet the key of one pair with the certificate of the
				// other.
				await().ignoreExceptions().untilAsserted(() -> {
					version(context);
					assertThat(this.server.requests()).last().isEqualTo("CN=second TLSv1.3");
				});
			});
		assertThat(this.server.requests().get(0)).isEqualTo("CN=first TLSv1.3");
		assertThat(output).contains("use the reloaded SSL bundle 'cluster'");
	}

	@Test
	void bundleThatIsReloadedBeforeTheClientFollowsItShouldBeUsed() {
		SslBundle first = bundle(this.server.client("first"));
		SslBundle second = bundle(this.server.client("second"));
		DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry("cluster", first) {

			@Override
			public void addBundleUpdateHandler(String name, Consumer<SslBundle> handler) {
				updateBundle(name, second);
				super.addBundleUpdateHandler(name, handler);
			}

		};
		this.runner.withBean(SslBundles.class, () -> bundles)
			.withPropertyValues("kubernetes.client.url=" + this.server.url(), BUNDLE)
			.run((context) -> version(context));
		assertThat(this.server.requests()).containsExactly("CN=second TLSv1.3");
	}

	private SslBundle bundle(HeldCertificate client) {
		PemSslStoreDetails keys = PemSslStoreDetails.forCertificate(client.certificatePem())
			.withPrivateKey(client.privateKeyPkcs8Pem());
		return SslBundle.of(new PemSslStoreBundle(keys, PemSslStoreDetails.forCertificate(this.server.authorityPem())));
	}

	@Test
	void watchesShouldGoOnByTheReloadedBundle() throws Exception {
		Path trust = this.directory.resolve("ca.crt");
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().tls().start()) {
			Files.writeString(trust, kubernetes.caCertificate());
			this.runner
				.withPropertyValues("kubernetes.client.url=" + kubernetes.url(), TRUST + trust,
						"spring.ssl.bundle.pem.cluster.reload-on-update=true",
						"spring.ssl.bundle.watch.file.quiet-period=10ms", BUNDLE)
				.run((context) -> {
					Informer<V1Pod> pods = context.getBean(Informers.class).informer(V1Pod.class);
					await().until(() -> pods.state() == InformerState.LIVE);
					Files.writeString(trust, this.server.authorityPem());
					await().until(() -> pods.state() != InformerState.LIVE && kubernetes.openWatches() == 0);
					Files.writeString(trust, kubernetes.caCertificate());
					await().until(() -> pods.state() == InformerState.LIVE);
				});
		}
	}

	@Test
	void bundleThatDoesNotExistShouldBeNamed() {
		this.runner
			.withPropertyValues("kubernetes.client.url=https://localhost:1", TRUST + this.server.authorityPem(),
					"kubernetes.client.ssl.bundle=custer")
			.run((context) -> assertInvalid(context,
					"'kubernetes.client.ssl.bundle' is 'custer'; it names an SSL bundle that does not exist; the bundles are [cluster]"));
		InformerContextRunner.withoutCluster()
			.withPropertyValues("kubernetes.client.url=https://localhost:1", "kubernetes.client.ssl.bundle=cluster")
			.run((context) -> assertInvalid(context, "SslAutoConfiguration"));
	}

	@Test
	void protocolThatIsUnknownShouldBeNamed() {
		this.runner
			.withPropertyValues("kubernetes.client.url=https://localhost:1", TRUST + this.server.authorityPem(),
					"spring.ssl.bundle.pem.cluster.options.enabled-protocols=TLSv1.9", BUNDLE)
			.run((context) -> assertInvalid(context, "enables the protocol 'TLSv1.9', which is not one of"));
	}

	@Test
	void protocolThatNoProviderHasShouldBeNamed() {
		this.runner
			.withPropertyValues("kubernetes.client.url=https://localhost:1", TRUST + this.server.authorityPem(),
					"spring.ssl.bundle.pem.cluster.protocol=TLSv1.9", BUNDLE)
			.run((context) -> assertInvalid(context,
					"'kubernetes.client.ssl.bundle' is 'cluster'; it names an SSL bundle that cannot be used: Cannot set up TLS: TLSv1.9"));
	}

	@Test
	void bundleOfConnectionDetailsThatCannotBeUsedShouldBeExplained() {
		PemSslStoreBundle stores = new PemSslStoreBundle(null,
				PemSslStoreDetails.forCertificate(this.server.authorityPem()));
		SslOptions options = SslOptions.of(null, Set.of("TLSv1.9"));
		assertUnusable(SslBundle.of(stores, null, null, "TLSv1.9"),
				"The connection details have an SSL bundle that cannot be used: Cannot set up TLS: TLSv1.9");
		assertUnusable(SslBundle.of(stores, null, options),
				"The connection details have an SSL bundle that enables the protocol 'TLSv1.9', which is not one of");
	}

	private void assertUnusable(SslBundle bundle, String message) {
		this.runner.withBean(KubernetesConnectionDetails.class, () -> new SecureDetails("https://localhost:1", bundle))
			.run((context) -> assertThatExceptionOfType(BeanCreationException.class)
				.isThrownBy(() -> context.getBean(ApiClient.class))
				.havingRootCause()
				.isInstanceOfSatisfying(InformerConfigurationException.class,
						(ex) -> assertThat(ex.getAction()).contains("KubernetesConnectionDetails"))
				.withMessageContaining(message));
	}

	@Test
	void clientThatCannotBeMadeShouldBeClosedAndNotFollowTheBundle() {
		DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry("cluster", SslBundle
			.of(new PemSslStoreBundle(null, PemSslStoreDetails.forCertificate(this.server.authorityPem()))));
		List<String> followed = new ArrayList<>();
		List<ApiClient> made = new ArrayList<>();
		InformerContextRunner.withoutCluster()
			.withPropertyValues("kubernetes.client.url=https://localhost:1", BUNDLE)
			.withBean(SslBundles.class, () -> new FollowedBundles(bundles, followed))
			.withBean(ApiClientCustomizer.class, () -> (client) -> {
				made.add(client);
				if (made.size() == 1) {
					throw new IllegalStateException("not yet");
				}
			})
			.run((context) -> {
				assertThatExceptionOfType(BeanCreationException.class)
					.isThrownBy(() -> context.getBean(ApiClient.class));
				assertThat(followed).isEmpty();
				assertThat(isClosed(made.get(0))).isTrue();
				assertThat(isClosed(context.getBean(ApiClient.class))).isFalse();
				assertThat(followed).containsExactly("cluster");
			});
		assertThat(made).hasSize(2).allMatch(SslBundleTests::isClosed);
	}

	private static boolean isClosed(ApiClient client) {
		return client.getHttpClient().dispatcher().executorService().isShutdown();
	}

	@ParameterizedTest
	@ValueSource(strings = { "kubernetes.client.ssl.bundle=", "kubernetes.client.ssl.bundle=  " })
	void blankNameShouldBeNone(String property) {
		this.runner.withPropertyValues("kubernetes.client.url=https://localhost:1", property)
			.run((context) -> assertThat(context.getBean(ApiClient.class).getBasePath())
				.isEqualTo("https://localhost:1"));
	}

	private static void assertInvalid(ApplicationContext context, String message) {
		assertThatExceptionOfType(BeanCreationException.class).isThrownBy(() -> context.getBean(ApiClient.class))
			.havingRootCause()
			.isInstanceOf(InvalidPropertyValueException.class)
			.withMessageContaining(message);
	}

	private static String version(ApplicationContext context) throws ApiException {
		return new VersionApi(context.getBean(ApiClient.class)).getCode().execute().getGitVersion();
	}

	private void write(HeldCertificate client) throws IOException {
		Files.writeString(this.directory.resolve("client.key"), client.privateKeyPkcs8Pem());
		Files.writeString(this.directory.resolve("client.crt"), client.certificatePem());
	}

	private Path kubeconfig(String cluster, String user) throws IOException {
		return Files.writeString(this.directory.resolve("config"), """
				current-context: one
				contexts: [ { name: one, context: { cluster: one, user: me } } ]
				clusters: [ { name: one, cluster: { server: "%s", %s } } ]
				users: [ { name: me, user: { %s } } ]
				""".formatted(this.server.url(), cluster, user));
	}

	private static String base64(String pem) {
		return Base64.getEncoder().encodeToString(pem.getBytes());
	}

	/**
	 * Details with a bundle.
	 *
	 * @param url the URL
	 * @param bundle the bundle
	 */
	private record SecureDetails(String url, SslBundle bundle) implements KubernetesConnectionDetails {

		@Override
		public String getUrl() {
			return this.url;
		}

		@Override
		public SslBundle getSslBundle() {
			return this.bundle;
		}

	}

	/**
	 * Bundles that note who follows them.
	 *
	 * @param bundles the bundles
	 * @param followed the names of those that are followed
	 */
	private record FollowedBundles(SslBundles bundles, List<String> followed) implements SslBundles {

		@Override
		public SslBundle getBundle(String name) {
			return this.bundles.getBundle(name);
		}

		@Override
		public void addBundleUpdateHandler(String name, Consumer<SslBundle> handler) {
			this.followed.add(name);
			this.bundles.addBundleUpdateHandler(name, handler);
		}

		@Override
		public void addBundleRegisterHandler(BiConsumer<String, SslBundle> handler) {
			this.bundles.addBundleRegisterHandler(handler);
		}

		@Override
		public List<String> getBundleNames() {
			return this.bundles.getBundleNames();
		}

	}

}
