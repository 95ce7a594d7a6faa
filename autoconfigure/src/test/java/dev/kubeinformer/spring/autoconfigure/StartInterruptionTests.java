package dev.kubeinformer.spring.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Node;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

import dev.kubeinformer.spring.Gear;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.FaultProxy;
import dev.kubeinformer.test.RequestPattern;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of applications that are stopped while their start waits.
 */
class StartInterruptionTests {

	/**
	 * Time for the end of a start; each of its waits would take at least twice as long.
	 */
	private static final Duration SOON = Duration.ofSeconds(15);

	private static final String WAIT = "kubernetes.informers.startup.wait-for-sync=true";

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes).withBean(Closed.class);

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void waitForSyncShouldEnd() {
		RequestPattern lists = Requests.of("nodes");
		this.kubernetes.faults().on(lists).forbid();
		assertEnds(this.runner.withPropertyValues(WAIT).withBean(Reader.class), () -> isRequested(lists));
	}

	@Test
	void waitOfABeanThatIsCreatedLateInTheStartShouldEnd() {
		RequestPattern lists = Requests.of("nodes");
		this.kubernetes.faults().on(lists).forbid();
		assertEnds(this.runner.withPropertyValues(WAIT).withBean(LazyReader.class).withBean(LateUser.class),
				() -> isRequested(lists));
	}

	@Test
	void repeatedRequestsForDefinitionsShouldEnd() {
		RequestPattern definitions = Requests.of("customresourcedefinitions");
		this.kubernetes.faults().on(definitions).status(503);
		assertEnds(this.runner.withPropertyValues("kubernetes.definitions.apply=true").withBean(CustomReader.class),
				() -> isRequested(definitions));
	}

	@Test
	void requestForDefinitionsThatHangsShouldNotBeAwaited() {
		try (FaultProxy network = FaultProxy.to("127.0.0.1", this.kubernetes.port())) {
			network.hang();
			assertEnds(this.runner
				.withPropertyValues("kubernetes.definitions.apply=true",
						"kubernetes.client.url=http://127.0.0.1:" + network.port())
				.withBean(CustomReader.class), () -> network.accepted() > 0);
		}
	}

	@Test
	void credentialPluginThatHangsShouldNotBeAwaited(@TempDir Path folder) throws IOException {
		Path started = folder.resolve("started");
		Path kubeconfig = Files.writeString(folder.resolve("config"), """
				apiVersion: v1
				kind: Config
				current-context: c
				contexts: [ { name: c, context: { cluster: k, user: u } } ]
				clusters: [ { name: k, cluster: { server: "https://127.0.0.1:1" } } ]
				users:
				  - name: u
				    user:
				      exec:
				        apiVersion: client.authentication.k8s.io/v1
				        interactiveMode: Never
				        command: sh
				        args: [ "-c", "touch %s; exec sleep 50" ]
				""".formatted(started));
		assertEnds(
				this.runner.withPropertyValues("kubernetes.client.url=", "kubernetes.client.kubeconfig=" + kubeconfig)
					.withBean(Reader.class),
				() -> Files.exists(started));
	}

	@Test
	void signalShouldEndTheWaitWithoutAFailure() throws Exception {
		RequestPattern lists = Requests.of("nodes");
		this.kubernetes.faults().on(lists).forbid();
		try (ForkedApplication application = ForkedApplication.start(List.of(), Application.class,
				"--kubernetes.client.url=" + this.kubernetes.url(), "--" + WAIT,
				"--spring.main.web-application-type=none")) {
			// The second list follows a second after the first one, when the start waits.
			await().atMost(Duration.ofSeconds(60))
				.until(() -> this.kubernetes.requests().stream().filter(lists).count() > 1);
			long begin = System.nanoTime();
			assertThat(application.terminate()).isEqualTo(143);
			assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(SOON);
			assertThat(application.output()).anyMatch(
					(line) -> line.contains("INFO") && line.contains("informers [nodes] to sync ends early, because"))
				.anyMatch((line) -> line.contains("bean is closed"))
				.noneMatch((line) -> line.contains("ERROR"));
		}
	}

	private boolean isRequested(RequestPattern pattern) {
		return this.kubernetes.requests().stream().anyMatch(pattern);
	}

	private static void assertEnds(ApplicationContextRunner runner, BooleanSupplier waits) {
		CompletableFuture<ConfigurableApplicationContext> started = new CompletableFuture<>();
		CountDownLatch ended = new CountDownLatch(1);
		CompletableFuture<Throwable> failure = new CompletableFuture<>();
		Thread start = new Thread(() -> {
			runner.withInitializer(started::complete).run((context) -> failure.complete(context.getStartupFailure()));
			ended.countDown();
		});
		start.start();
		await().atMost(Duration.ofSeconds(60)).until(() -> failure.isDone() || waits.getAsBoolean());
		assertThat(failure).isNotDone();
		long begin = System.nanoTime();
		started.join().close();
		await().atMost(Duration.ofSeconds(60)).until(() -> ended.getCount() == 0);
		assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(SOON);
		assertThat(failure.join()).hasStackTraceContaining("ends early, because the application is stopped");
	}

	record Reader(Lister<V1Node> nodes) {
	}

	record CustomReader(Lister<Gear> objects) {
	}

	@Lazy
	record LazyReader(Lister<V1Node> nodes) {
	}

	/** Creates a bean after the informers are started. */
	record LateUser(BeanFactory beans) implements SmartLifecycle {

		@Override
		public void start() {
			this.beans.getBean(LazyReader.class).nodes().list();
		}

		@Override
		public void stop() {
		}

		@Override
		public boolean isRunning() {
			return false;
		}

	}

	static class Closed implements DisposableBean {

		@Override
		public void destroy() {
			System.out.println("bean is closed");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	@Import({ Reader.class, Closed.class })
	public static class Application {

		public static void main(String[] args) {
			SpringApplication.run(Application.class, args);
		}

	}

}
