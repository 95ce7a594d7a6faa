package dev.kubeinformer.spring.handler;

import java.lang.reflect.Method;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.ReflectionUtils;

import dev.kubeinformer.Informers;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnUpdate;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the threads that handlers run on.
 */
class HandlerThreadsTests {

	private static final String VIRTUAL = "spring.threads.virtual.enabled=true";

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes);

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void handlersShouldRunOnVirtualThreadsIfTheApplicationWantsThem() {
		Thread thread = threadOfHandler(VIRTUAL);
		assertThat(isVirtual(thread)).isTrue();
		assertThat(thread.getName()).startsWith("informer-podHandler-");
	}

	@Test
	@EnabledForJreRange(max = JRE.JAVA_20)
	void handlersShouldRunOnPlatformThreadsWhereJavaHasNoOthers() {
		assertThat(threadOfHandler(VIRTUAL).isDaemon()).isFalse();
	}

	@Test
	void handlersShouldRunOnPlatformThreadsThatAreNoDaemonsByDefault() {
		Thread thread = threadOfHandler();
		assertThat(isVirtual(thread)).isFalse();
		assertThat(thread.isDaemon()).isFalse();
		assertThat(thread.getName()).startsWith("informer-podHandler-");
	}

	private Thread threadOfHandler(String... properties) {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "p"));
		CopyOnWriteArrayList<Thread> threads = new CopyOnWriteArrayList<>();
		this.runner.withPropertyValues(properties).withBean(PodHandler.class).run((context) -> {
			PodHandler handler = context.getBean(PodHandler.class);
			await().until(() -> !handler.threads.isEmpty());
			threads.addAll(handler.threads);
		});
		return threads.get(0);
	}

	@Test
	void someThreadShouldKeepTheJvmAliveWhileInformersRun() throws Exception {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "p"));
		this.runner.withPropertyValues(VIRTUAL, "kubernetes.informers.auto-startup=false")
			.withBean(PodHandler.class)
			.run((context) -> {
				Informers informers = context.getBean(Informers.class);
				Thread daemon = new Thread(informers::start);
				daemon.setDaemon(true);
				daemon.start();
				daemon.join();
				await().until(() -> this.kubernetes.openWatches() == 1);
				assertThat(Thread.getAllStackTraces().keySet())
					.filteredOn((thread) -> thread.getName().equals("informer-pods-reflector"))
					.isNotEmpty()
					.noneMatch(Thread::isDaemon);
			});
	}

	@Test
	void concurrencyShouldBeTheSameOnVirtualThreads() {
		for (int i = 0; i < 30; i++) {
			this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "p" + i));
		}
		this.runner.withPropertyValues(VIRTUAL, "kubernetes.informers.handlers.slowHandler.concurrency=3")
			.withBean("slowHandler", SlowHandler.class)
			.run((context) -> {
				SlowHandler handler = context.getBean(SlowHandler.class);
				await().until(() -> handler.inside.get() == 3);
				handler.release.countDown();
				await().until(() -> context.getBean(InformerHandlerRegistry.class).get("slowHandler").hasSynced());
				assertThat(handler.most.get()).isEqualTo(3);
				assertThat(handler.keys).hasSize(30).doesNotHaveDuplicates();
				assertThat(handler.threads).hasSize(3);
			});
	}

	@Test
	void handlerInWorkShouldFinishOnVirtualThreadsWhenTheContextCloses() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "p"));
		SlowHandler handler = new SlowHandler();
		this.runner.withPropertyValues(VIRTUAL)
			.withBean("slowHandler", SlowHandler.class, () -> handler)
			.run((context) -> {
				await().until(() -> handler.inside.get() == 1);
				new Thread(() -> {
					await().until(() -> !context.getBean(InformerHandlerRegistry.class).get("slowHandler").isRunning());
					handler.release.countDown();
				}).start();
			});
		assertThat(handler.keys).containsExactly("p");
		assertThat(handler.interrupted.get()).isZero();
		assertThat(handler.threads).noneMatch(Thread::isAlive);
	}

	private static boolean isVirtual(Thread thread) {
		Method method = ReflectionUtils.findMethod(Thread.class, "isVirtual");
		return method != null && Boolean.TRUE.equals(ReflectionUtils.invokeMethod(method, thread));
	}

	@InformerHandler(id = "podHandler")
	static class PodHandler {

		private final List<Thread> threads = new CopyOnWriteArrayList<>();

		@OnAdd
		void added(V1Pod pod) {
			this.threads.add(Thread.currentThread());
		}

	}

	@InformerHandler
	static class SlowHandler {

		private final AtomicInteger inside = new AtomicInteger();

		private final AtomicInteger most = new AtomicInteger();

		private final AtomicInteger interrupted = new AtomicInteger();

		private final List<String> keys = new CopyOnWriteArrayList<>();

		private final Set<Thread> threads = Collections
			.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

		private final CountDownLatch release = new CountDownLatch(1);

		@OnAdd
		@OnUpdate
		void handle(ResourceEvent<V1Pod> event) {
			this.threads.add(Thread.currentThread());
			this.most.accumulateAndGet(this.inside.incrementAndGet(), Math::max);
			try {
				this.release.await();
			}
			catch (InterruptedException ex) {
				this.interrupted.incrementAndGet();
			}
			this.keys.add(event.object().getMetadata().getName());
			this.inside.decrementAndGet();
		}

	}

}
