package dev.kubeinformer.spring.autoconfigure.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicReference;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.Informers;
import dev.kubeinformer.client.ClientDescription;
import dev.kubeinformer.client.Clients;
import dev.kubeinformer.client.ManagedApiClient;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerError;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.autoconfigure.client.ClientOrigin;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.Problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/** Tests of the advice that is logged with the problem of a connection. */
@ExtendWith(OutputCaptureExtension.class)
class ConnectionAdviceTests {

	@TempDir
	private Path directory;

	@Test
	void refusedCredentialShouldBeDescribedOnce(CapturedOutput output) throws IOException {
		// A token of the year 2001.
		Path file = Files.writeString(this.directory.resolve("token"), token(1_000_000_000));
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			kubernetes.faults().on(Requests.any()).status(401);
			InformerContextRunner.with(kubernetes)
				.withPropertyValues("kubernetes.client.token-file=" + file)
				.run((context) -> {
					Informer<V1Pod> pods = context.getBean(Informers.class).informer(V1Pod.class);
					await().until(() -> kubernetes.requests().size() > 3);
				});
		}
		assertThat(output)
			.containsOnlyOnce("does not accept the credential (HTTP 401): token file '%s', read at 20".formatted(file))
			.contains("; it expired at 2001-09-09T01:46:40Z. Renew it", "'kubernetes.client.token-file'")
			.doesNotContain("s3cret");
	}

	@Test
	void otherCredentialsOfTheSameSourceShouldBeDescribedEveryTenMinutes(CapturedOutput output) {
		AtomicReference<ManagedApiClient> client = new AtomicReference<>();
		AtomicReference<Instant> time = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
		ConnectionAdvice advice = new ConnectionAdvice("kubernetes.client", client::get, clock(time::get));
		InformerError error = new InformerError(time.get(), "list", "pods", Problem.UNAUTHORIZED, 401, "Unauthorized",
				"Unauthorized", null);
		try (ManagedApiClient any = Clients.of("http://localhost:1").build();
				Informers informers = Informers.builder(any).build()) {
			Informer<V1Pod> pods = informers.informer(V1Pod.class);
			// As a plugin that gives another token each time.
			for (int seconds = 0; seconds < 1500; seconds += 60) {
				try (ManagedApiClient next = Clients.of("http://localhost:1")
					.token(token(1_000_000_000 + seconds))
					.build()) {
					client.set(next);
					advice.requestFailed(pods, error, Duration.ZERO);
				}
				time.updateAndGet((before) -> before.plusSeconds(60));
			}
		}
		assertThat(output.getOut().lines().filter((line) -> line.contains("does not accept the credential")))
			.hasSize(3);
	}

	@Test
	void authorityThatIsSetShouldNotBeAskedFor(CapturedOutput output) throws IOException {
		try (EmbeddedKubernetes other = EmbeddedKubernetes.builder().tls().start();
				EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().tls().start()) {
			Path file = Files.writeString(this.directory.resolve("ca.crt"), other.caCertificate());
			InformerContextRunner.with(kubernetes)
				.withPropertyValues("kubernetes.client.ca=" + file)
				.run((context) -> awaitFailure(context.getBean(Informers.class)));
			assertThat(output)
				.containsOnlyOnce("(file '%s') has signed the certificate of the Kubernetes API at %s".formatted(file,
						kubernetes.url()))
				.doesNotContain("Configure the authority that signed");
			InformerContextRunner.with(kubernetes).run((context) -> awaitFailure(context.getBean(Informers.class)));
			assertThat(output).containsOnlyOnce("Configure the authority that signed");
		}
	}

	@Test
	void clientWithoutCredentialsShouldBeToldSo(CapturedOutput output) {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			kubernetes.faults().on(Requests.any()).status(401);
			InformerContextRunner.with(kubernetes).run((context) -> awaitFailure(context.getBean(Informers.class)));
			InformerContextRunner.withoutCluster()
				.withBean(ApiClient.class, () -> Clients.of(kubernetes.url()).token("s3cret").build())
				.run((context) -> awaitFailure(context.getBean(Informers.class)));
		}
		assertThat(output).containsOnlyOnce(
				"The client has no credentials, and the Kubernetes API requires some (HTTP 401); configure some ('kubernetes.client.token-file', ")
			.containsOnlyOnce(". Renew it at its source, or give the application's ApiClient another one.")
			.doesNotContain("s3cret", "no credentials, read at");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
					PROPERTIES  | CertificateNotTrusted     | false | 'kubernetes.clusters.west.ca', or by a kubeconfig
					PROPERTIES  | CertificateNotTrusted     | true  | in the trust store of the SSL bundle that 'kubernetes.clusters.west.ssl.bundle' names
					PROPERTIES  | AuthorityExpired          | true  | in the trust store of the SSL bundle
					DETAILS     | CertificateNotTrusted     | true  | by the KubernetesConnectionDetails bean
					APPLICATION | CertificateNotTrusted     | false | by 'certificateAuthority' of the builder
					APPLICATION | AuthorityExpired          | true  | in the trust manager that the builder
					PROPERTIES  | ServerNameUnknown         | false | Set 'kubernetes.clusters.west.tls-server-name' or 'tls-server-name' in the cluster of the kubeconfig
					DETAILS     | ServerNameUnknown         | false | the URL of the KubernetesConnectionDetails bean
					APPLICATION | ServerNameUnknown         | false | 'tlsServerName' of the builder
					APPLICATION | CertificateForAnotherName | false | the URL of the application's ApiClient
					APPLICATION | TlsExpected               | false | Begin the URL of the application's ApiClient with https://
					APPLICATION | TlsNotSpoken              | false | the port of the URL of the application's ApiClient
					PROPERTIES  | ClientCertificateRequired | false | 'client-certificate' and 'client-key' of the user of the kubeconfig
					PROPERTIES  | ClientCertificateRefused  | true  | in the key store of the SSL bundle that 'kubernetes.clusters.west.ssl.bundle' names
					APPLICATION | ClientCertificateRefused  | false | by 'clientCertificate' of the builder
					""")
	void adviceShouldNameWhatHasAnEffect(ClientOrigin origin, String reason, boolean bundle, String advice) {
		ConnectionMends mends = new ConnectionMends("kubernetes.clusters.west", origin,
				new ClientDescription("x", "https://x", null, null, null, null, false, "x", bundle, bundle));
		assertThat(mends.of(reason)).contains(advice).doesNotContain("kubernetes.client");
		if (origin != ClientOrigin.PROPERTIES) {
			assertThat(mends.of(reason)).doesNotContain("kubernetes.clusters");
		}
		else if (bundle) {
			assertThat(mends.of(reason)).doesNotContain(".ca'");
		}
	}

	@Test
	void certificateOfABundleShouldCountAsACredential() {
		ConnectionMends mends = new ConnectionMends("kubernetes.client", ClientOrigin.PROPERTIES,
				new ClientDescription("x", "https://x", null, null, null, null, false, "x", true, true));
		assertThat(ConnectionAdvice.unauthorized(mends, null, Instant.EPOCH)).startsWith(
				"The Kubernetes API does not accept the credential of the client (HTTP 401). Renew it, or configure");
	}

	@Test
	void certificateForAnotherNameShouldNameTheField() {
		assertThat(ConnectionAdvice.of("kubernetes.clusters.west", "CertificateForAnotherName"))
			.contains("'tls-server-name'", "'kubernetes.clusters.west.url'");
	}

	@Test
	void clientOfTheApplicationThatCannotBeMadeShouldBeAnalyzed(CapturedOutput output) {
		SpringApplication application = new SpringApplication(Own.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		assertThatException().isThrownBy(() -> application.run().close());
		assertThat(output).contains("APPLICATION FAILED TO START", "'/nonexistent/config'", "Action:")
			.doesNotContain("\tat ");
	}

	private static String token(long expires) {
		String claims = "{\"exp\":%d}".formatted(expires);
		return "e30.%s.s3cret".formatted(Base64.getUrlEncoder().withoutPadding().encodeToString(claims.getBytes()));
	}

	private static Clock clock(InstantSource time) {
		return new Clock() {

			@Override
			public ZoneId getZone() {
				return ZoneOffset.UTC;
			}

			@Override
			public Clock withZone(ZoneId zone) {
				return this;
			}

			@Override
			public Instant instant() {
				return time.instant();
			}

		};
	}

	private static void awaitFailure(Informers informers) {
		Informer<V1Pod> pods = informers.informer(V1Pod.class);
		await().until(() -> pods.status().lastError() != null);
	}

	@Configuration(proxyBeanMethods = false)
	static class Own {

		@Bean
		ManagedApiClient client() {
			return Clients.fromKubeconfig(Path.of("/nonexistent/config")).build();
		}

	}

}
