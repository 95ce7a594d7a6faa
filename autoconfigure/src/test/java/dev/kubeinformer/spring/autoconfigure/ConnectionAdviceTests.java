package dev.kubeinformer.spring.autoconfigure;

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

import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.Informer;
import dev.kubeinformer.InformerError;
import dev.kubeinformer.Informers;
import dev.kubeinformer.client.Clients;
import dev.kubeinformer.client.ManagedApiClient;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.Problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/**
 * Tests of what is logged beside the problem of a connection.
 */
@ExtendWith(OutputCaptureExtension.class)
class ConnectionAdviceTests {

	@TempDir
	private Path directory;

	@Test
	void refusedCredentialShouldBeDescribedOnce(CapturedOutput output) throws IOException {
		// Of the year 2001.
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
				.containsOnlyOnce("(file '%s') holds has signed the certificate of the Kubernetes API at %s"
					.formatted(file, kubernetes.url()))
				.doesNotContain("Name the authority that signed");
			InformerContextRunner.with(kubernetes).run((context) -> awaitFailure(context.getBean(Informers.class)));
			assertThat(output).containsOnlyOnce("Name the authority that signed");
		}
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
