package dev.kubeinformer.spring.autoconfigure;

import java.lang.Thread.State;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformer;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Node;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.event.EventListener;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.bean.StartInterruptedException;
import dev.kubeinformer.spring.cluster.ClusterListers;
import dev.kubeinformer.spring.inject.CacheSyncAwaiter;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/**
 * Tests of a running application that reads caches before they are filled: in a request,
 * in a bean that is created on demand, in a runner, and during the start.
 */
@ExtendWith(OutputCaptureExtension.class)
class LateReadTests {

	private static final String WORD = "Cache of informer 'nodes' is read before it is filled";

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ExecutorService request = Executors.newSingleThreadExecutor();

	private ConfigurableApplicationContext context;

	@BeforeEach
	void create() {
		this.kubernetes.resources(V1Node.class).create(TestObjects.node("n1"));
	}

	@AfterEach
	void close() {
		this.request.shutdownNow();
		if (this.context != null) {
			this.context.close();
		}
		this.kubernetes.close();
	}

	@Test
	void firstRequestOfALazyApplicationShouldSeeTheWholeCache() throws Exception {
		run(WebApplicationType.SERVLET, List.of(NodeController.class), "spring.main.lazy-initialization=true");
		assertThat(get("/actuator/health/readiness")).contains("UP");
		assertThat(this.context.getBean(Informers.class).all()).isEmpty();
		Fault lists = hold();
		CompletableFuture<String> answer = async(() -> get("/nodes/lister"));
		await().until(() -> lists.hits() > 0 || answer.isDone());
		assertThat(answer).isNotDone();
		lists.remove();
		assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("1");
	}

	@ParameterizedTest
	@EnumSource(Way.class)
	void eachWayToReadShouldWaitForTheCache(Way way) throws Exception {
		run(WebApplicationType.NONE, List.of(Sources.class));
		Fault lists = hold();
		CompletableFuture<Integer> size = async(() -> way.size(this.context.getBean(Sources.class)));
		await().until(() -> lists.hits() > 0 || size.isDone());
		assertThat(size).isNotDone();
		lists.remove();
		assertThat(size.get(30, TimeUnit.SECONDS)).isEqualTo(1);
	}

	@Test
	void readShouldFailAfterItsTimeAndOnlyOnceWaitThatLong() {
		this.kubernetes.faults().on(Requests.of("nodes")).forbid();
		run(WebApplicationType.NONE, List.of(Sources.class), "kubernetes.informers.startup.late-timeout=300ms");
		Lister<V1Node> nodes = this.context.getBean(Sources.class).listers.getObject();
		assertThatException().isThrownBy(nodes::list)
			.isInstanceOf(InformerSyncTimeoutException.class)
			.withMessageContaining("300ms")
			.withMessageContaining("'nodes' is FORBIDDEN");
		assertThatException().isThrownBy(() -> nodes.get("n1")).isInstanceOf(InformerSyncTimeoutException.class);
		this.kubernetes.faults().clear();
		await().ignoreExceptions().until(() -> nodes.list().size() == 1);
	}

	@Test
	void readShouldNotWaitWhereThatIsSwitchedOff(CapturedOutput output) {
		Fault lists = hold();
		run(WebApplicationType.NONE, List.of(Sources.class), "kubernetes.informers.startup.late-timeout=0s");
		assertThat(this.context.getBean(Sources.class).listers.getObject().list()).isEmpty();
		assertThat(output).contains(WORD);
		lists.remove();
	}

	@Test
	void readShouldNotWaitForAResourceThatReadinessLeavesOut() {
		this.kubernetes.faults().on(Requests.of("nodes")).forbid();
		run(WebApplicationType.NONE, List.of(Sources.class), "kubernetes.informers.resources.nodes.readiness=false");
		assertThat(this.context.getBean(Sources.class).listers.getObject().list()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(Runner.class)
	void runnerShouldSeeTheWholeCache(Runner runner) throws Exception {
		Fault lists = hold();
		CompletableFuture<Void> start = async(() -> {
			run(WebApplicationType.NONE, List.of(runner.type));
			return null;
		});
		await().until(() -> lists.hits() > 0 || start.isDone());
		lists.remove();
		start.get(30, TimeUnit.SECONDS);
		assertThat(this.context.getBean(Seen.class).sizes).containsExactly(1);
	}

	@Test
	void runnerShouldStartAfterItsTimeWithAWord(CapturedOutput output) {
		hold();
		run(WebApplicationType.NONE, List.of(Runner.APPLICATION.type),
				"kubernetes.informers.startup.late-timeout=200ms");
		assertThat(this.context.getBean(Seen.class).sizes).containsExactly(0);
		assertThat(output).contains(WORD,
				"Runners begin although the caches that they read are not filled after 200ms: 'nodes' is ");
	}

	@Test
	void runnerShouldNotBeginInAClosedContext(CapturedOutput output) throws Exception {
		hold();
		CompletableFuture<ConfigurableApplicationContext> started = new CompletableFuture<>();
		CompletableFuture<Throwable> failure = new CompletableFuture<>();
		Thread start = new Thread(() -> {
			try {
				run(started, WebApplicationType.NONE, List.of(Runner.APPLICATION.type));
				failure.complete(null);
			}
			catch (Throwable ex) {
				failure.complete(ex);
			}
		});
		start.start();
		await().atMost(Duration.ofSeconds(60))
			.until(() -> failure.isDone() || Stream.of(start.getStackTrace())
				.anyMatch((frame) -> frame.getClassName().equals(CacheSyncAwaiter.class.getName())));
		Seen seen = started.join().getBean(Seen.class);
		started.join().close();
		assertThat(failure.get(30, TimeUnit.SECONDS)).hasStackTraceContaining(StartInterruptedException.class.getName()
				+ ": Stopped while waiting for the cache of informer 'nodes'");
		assertThat(seen.sizes).isEmpty();
		assertThat(output).contains("Stopped while waiting for the cache").doesNotContain(" ERROR ");
	}

	@Test
	void readDuringTheStartShouldNotHoldItUpAndBeLogged(CapturedOutput output) {
		hold();
		run(WebApplicationType.NONE, List.of(Early.class));
		assertThat(this.context.getBean(Early.class).sizes).containsExactly(0, 0);
		assertThat(output.toString().split(WORD, -1)).hasSize(2);
		assertThat(output).contains("constructor of '" + Early.class.getName() + "'");
	}

	@Test
	void readThroughAClientOfALazyApplicationShouldNotLockTheStartOfItsInformer() {
		run(WebApplicationType.NONE, List.of(InConstructor.class), "spring.main.lazy-initialization=true");
		assertThat(this.context.getBean(InConstructor.class).size).isEqualTo(1);
	}

	@Test
	void othersShouldCreateBeansWhileAReadWaits() throws Exception {
		run(WebApplicationType.NONE, List.of(Holder.class, Other.class), "spring.main.lazy-initialization=true");
		Fault lists = hold();
		CompletableFuture<Integer> size = async(() -> this.context.getBean(Holder.class).nodes.list().size());
		await().until(() -> lists.hits() > 0 || size.isDone());
		assertThat(this.context.getBean(Other.class)).isNotNull();
		assertThat(size).isNotDone();
		lists.remove();
		assertThat(size.get(30, TimeUnit.SECONDS)).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(classes = { UnderLock.class, EdgeUnderLock.class })
	void twoFirstInjectionsShouldNotWaitForEachOther(Class<? extends UnderLock> type) throws Exception {
		run(WebApplicationType.NONE, List.of(Sources.class, type), "spring.main.lazy-initialization=true");
		Sources sources = this.context.getBean(Sources.class);
		ObjectProvider<Lister<V1Node>> first = (type == EdgeUnderLock.class) ? sources.edge : sources.listers;
		// Otherwise the other thread would wait for this bean, and not for the client.
		this.context.getBean("informerInjectedSource");
		Thread free = new Thread(first::getObject);
		this.context.getBeanFactory().registerResolvableDependency(Thread.class, free);
		// It holds Spring's lock, and asks for a lister when the other thread waits.
		CompletableFuture<UnderLock> locked = async(() -> this.context.getBean(type));
		assertThat(locked.get(40, TimeUnit.SECONDS).nodes.list()).hasSize(1);
		free.join(TimeUnit.SECONDS.toMillis(40));
		assertThat(free.isAlive()).isFalse();
	}

	@Test
	void stopShouldEndAReadThatWaits() throws Exception {
		run(WebApplicationType.NONE, List.of(Sources.class));
		Fault lists = hold();
		CompletableFuture<Integer> size = async(() -> Way.LISTER.size(this.context.getBean(Sources.class)));
		await().until(() -> lists.hits() > 0 || size.isDone());
		this.context.close();
		assertThat(size).failsWithin(Duration.ofSeconds(5))
			.withThrowableThat()
			.havingRootCause()
			.isInstanceOf(IllegalStateException.class)
			.withMessage("Stopped while waiting for the cache of informer 'nodes'");
	}

	@Test
	void waitingReadShouldNeedNoThreadAndKeepTheInterruptOfItsCaller() throws Exception {
		run(WebApplicationType.NONE, List.of(Sources.class));
		Fault lists = hold();
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		Thread caller = new Thread(() -> {
			try {
				Way.LISTER.size(this.context.getBean(Sources.class));
			}
			catch (IllegalStateException ex) {
				interrupted.complete(Thread.currentThread().isInterrupted());
			}
		});
		caller.start();
		await().until(() -> lists.hits() > 0 || interrupted.isDone());
		assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
			.doesNotContain("informers-start-wait");
		caller.interrupt();
		assertThat(interrupted).succeedsWithin(Duration.ofSeconds(9)).isEqualTo(true);
	}

	@Test
	void readsOfACacheShouldShareOneDeadline() throws Exception {
		Duration limit = Duration.ofSeconds(3);
		run(WebApplicationType.NONE, List.of(Sources.class), "kubernetes.informers.startup.late-timeout=3s");
		hold();
		Lister<V1Node> nodes = this.context.getBean(Sources.class).listers.getObject();
		CompletableFuture<Integer> first = async(() -> nodes.list().size());
		await().pollDelay(limit.dividedBy(2)).until(() -> true);
		long began = System.nanoTime();
		assertThatException().isThrownBy(nodes::list).isInstanceOf(InformerSyncTimeoutException.class);
		assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(limit.multipliedBy(9).dividedBy(10));
		assertThat(first).failsWithin(limit);
	}

	private Fault hold() {
		return this.kubernetes.faults().on(Requests.of("nodes")).delay(Duration.ofMinutes(1));
	}

	private <T> CompletableFuture<T> async(Supplier<T> work) {
		return CompletableFuture.supplyAsync(work, this.request);
	}

	private void run(WebApplicationType type, List<Class<?>> sources, String... properties) {
		run(new CompletableFuture<>(), type, sources, properties);
	}

	private void run(CompletableFuture<ConfigurableApplicationContext> started, WebApplicationType type,
			List<Class<?>> sources, String... properties) {
		List<Class<?>> all = new ArrayList<>(sources);
		all.add(Application.class);
		SpringApplication application = new SpringApplication(all.toArray(Class<?>[]::new));
		application.setWebApplicationType(type);
		application.setRegisterShutdownHook(false);
		application.addInitializers((context) -> started.complete(context));
		this.context = application.run(Stream
			.of(Stream.of(InformerContextRunner.NO_CLUSTER), Stream.of(properties),
					Stream.of("kubernetes.client.url=" + this.kubernetes.url(), "server.port=0",
							"spring.main.banner-mode=off", "spring.docker.compose.enabled=false",
							"kubernetes.clusters.edge.url=" + this.kubernetes.url(),
							"kubernetes.clusters.edge.readiness=true"))
			.flatMap((each) -> each)
			.map((property) -> "--" + property)
			.toArray(String[]::new));
	}

	private String get(String path) {
		String port = this.context.getEnvironment().getRequiredProperty("local.server.port");
		try {
			return HttpClient.newHttpClient()
				.send(HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).build(),
						HttpResponse.BodyHandlers.ofString())
				.body();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	enum Way {

		LISTER {
			@Override
			int size(Sources sources) {
				return sources.listers.getObject().list().size();
			}
		},
		NAMESPACE {
			@Override
			int size(Sources sources) {
				return (sources.listers.getObject().namespace("").get("n1") != null) ? 1 : 0;
			}
		},
		LAZY_PROXY {
			@Override
			int size(Sources sources) {
				return sources.lazy.list().size();
			}
		},
		SNAPSHOT {
			@Override
			int size(Sources sources) {
				return sources.informers.getObject().snapshot().size();
			}
		},
		INDEXER {
			@Override
			int size(Sources sources) {
				return sources.indexed.getObject().getIndexer().listKeys().size();
			}
		},
		INFORMER_LISTER {
			@Override
			int size(Sources sources) {
				return sources.informers.getObject().lister().list().size();
			}
		},
		CLUSTERS {
			@Override
			int size(Sources sources) {
				return sources.clusters.getObject().get("edge").list().size();
			}
		},
		PROTOTYPE {
			@Override
			int size(Sources sources) {
				return sources.prototypes.getObject().nodes.list().size();
			}
		};

		abstract int size(Sources sources);

	}

	enum Runner {

		APPLICATION(ApplicationRunnerConfiguration.class), COMMAND_LINE(CommandLineRunnerConfiguration.class),
		READER_OF_A_BEAN(IndirectRunnerConfiguration.class);

		private final Class<?> type;

		Runner(Class<?> type) {
			this.type = type;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	static class Seen {

		final List<Integer> sizes = new ArrayList<>();

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Seen.class)
	static class ApplicationRunnerConfiguration {

		@Bean
		ApplicationRunner runner(Lister<V1Node> nodes, Seen seen) {
			return (arguments) -> seen.sizes.add(nodes.list().size());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Seen.class)
	static class CommandLineRunnerConfiguration {

		@Bean
		CommandLineRunner runner(SharedIndexInformer<V1Node> nodes, Seen seen) {
			return (arguments) -> seen.sizes.add(nodes.getIndexer().list().size());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Seen.class, Eager.class })
	static class IndirectRunnerConfiguration {

		@Bean
		ApplicationRunner runner(Eager reader, Seen seen) {
			return (ApplicationArguments arguments) -> seen.sizes.add(reader.nodes.list().size());
		}

	}

	record Eager(Lister<V1Node> nodes) {

	}

	@Lazy
	static class Holder {

		private final Lister<V1Node> nodes;

		Holder(Lister<V1Node> nodes) {
			this.nodes = nodes;
		}

	}

	static class UnderLock {

		private final Lister<V1Node> nodes;

		UnderLock(Thread other, ObjectProvider<Lister<V1Node>> nodes) {
			other.start();
			await()
				.until(() -> Set.of(State.WAITING, State.TIMED_WAITING, State.TERMINATED).contains(other.getState()));
			this.nodes = nodes.getObject();
		}

	}

	static class EdgeUnderLock extends UnderLock {

		EdgeUnderLock(Thread other, @Qualifier("edge") ObjectProvider<Lister<V1Node>> nodes) {
			super(other, nodes);
		}

	}

	static class Other {

	}

	static class InConstructor {

		private final int size;

		InConstructor(Lister<V1Node> nodes) {
			this.size = nodes.list().size();
		}

	}

	static class Early {

		private final List<Integer> sizes = new ArrayList<>();

		private final Lister<V1Node> nodes;

		Early(Lister<V1Node> nodes) {
			this.nodes = nodes;
			this.sizes.add(nodes.list().size());
		}

		@EventListener
		void ready(ApplicationReadyEvent event) {
			this.sizes.add(this.nodes.list().size());
		}

	}

	@Import(OnePrototype.class)
	static class Sources {

		@Autowired
		ObjectProvider<Lister<V1Node>> listers;

		@Autowired
		@Qualifier("edge")
		ObjectProvider<Lister<V1Node>> edge;

		@Autowired
		ObjectProvider<Informer<V1Node>> informers;

		@Autowired
		ObjectProvider<SharedIndexInformer<V1Node>> indexed;

		@Autowired
		ObjectProvider<SharedInformer<V1Node>> shared;

		@Autowired
		ObjectProvider<ClusterListers<V1Node>> clusters;

		@Autowired
		ObjectProvider<OnePrototype> prototypes;

		@Lazy
		@Autowired
		Lister<V1Node> lazy;

	}

	@Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
	static class OnePrototype {

		@Autowired
		Lister<V1Node> nodes;

	}

	@RestController
	static class NodeController {

		private final Map<String, Supplier<Integer>> ways;

		NodeController(Lister<V1Node> nodes) {
			this.ways = Map.of("lister", () -> nodes.list().size());
		}

		@GetMapping("/nodes/{way}")
		String size(@PathVariable("way") String way) {
			return String.valueOf(this.ways.get(way).get());
		}

	}

}
