package dev.kubeinformer;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static dev.kubeinformer.EngineTestSupport.client;
import static dev.kubeinformer.EngineTestSupport.engineThreads;
import static dev.kubeinformer.EngineTestSupport.informers;
import static dev.kubeinformer.EngineTestSupport.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.awaitility.Awaitility.await;

/**
 * The threads on which informers read and handlers are called.
 */
class HandlerThreadTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	private final Informers informers = informers(this.api.url());

	private final List<Thread> made = new CopyOnWriteArrayList<>();

	private final List<Thread> callers = new CopyOnWriteArrayList<>();

	@AfterEach
	void stop() {
		this.informers.close();
		this.api.close();
		await().untilAsserted(() -> assertThat(this.made).noneMatch(Thread::isAlive));
		await().untilAsserted(() -> assertThat(engineThreads()).isEmpty());
	}

	@Test
	void handlerIsCalledOnThreadsOfItsFactoryAndNamedAfterIt() throws InterruptedException {
		deliver((work) -> new Thread(work, "of the application"));
		assertThat(this.callers).isSubsetOf(this.made);
		assertThat(this.made).extracting(Thread::getName)
			.containsExactlyInAnyOrder("informer-mine-1", "informer-mine-2", "informer-mine-3");
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "There are no virtual threads before Java 21")
	void handlerIsCalledOnVirtualThreads() throws Exception {
		Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
		ThreadFactory factory = (ThreadFactory) Class.forName("java.lang.Thread$Builder")
			.getMethod("factory")
			.invoke(builder);
		deliver(factory);
		Method isVirtual = Thread.class.getMethod("isVirtual");
		for (Thread caller : this.callers) {
			assertThat(isVirtual.invoke(caller)).isEqualTo(true);
			assertThat(caller.getName()).startsWith("informer-mine-");
		}
	}

	@Test
	void informerReadsOnThreadsOfItsFactoryAndNamedAfterIt() throws Exception {
		read((work) -> new Thread(work, "of the application"));
		assertThat(this.made).extracting(Thread::getName).containsExactly("informer-pods-reflector");
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_24, disabledReason = "Virtual threads hold on to others before Java 24")
	void informerReadsOnVirtualThreads() throws Exception {
		Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
		read((ThreadFactory) Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder));
		assertThat(Thread.class.getMethod("isVirtual").invoke(this.made.get(0))).isEqualTo(true);
		assertThat(this.made).extracting(Thread::getName).containsExactly("informer-pods-reflector");
	}

	@Test
	void factoryWithoutAThreadFailsTheStartAndTheNextOneSucceeds() throws Exception {
		AtomicInteger asked = new AtomicInteger();
		try (Informers own = informers(client(this.api.url()), (builder) -> builder
			.threadFactory((work) -> (asked.getAndIncrement() > 0) ? new Thread(work) : null))) {
			Informer<V1Pod> pods = own.informer(V1Pod.class);
			assertThatNullPointerException().isThrownBy(own::start)
				.withMessage("The thread factory created no thread for informer 'pods'");
			own.start();
			assertThat(pods.awaitSync(LONG)).isTrue();
		}
	}

	private void read(ThreadFactory factory) throws Exception {
		try (Informers own = informers(client(this.api.url()), (builder) -> builder.threadFactory(recorded(factory)))) {
			Informer<V1Pod> pods = own.informer(V1Pod.class);
			this.api.resources(V1Pod.class).create(pod("blog", "listed"));
			own.start();
			assertThat(pods.awaitSync(LONG)).isTrue();
			this.api.resources(V1Pod.class).create(pod("blog", "watched"));
			await().untilAsserted(() -> assertThat(pods.snapshot().get("blog", "watched")).isNotNull());
		}
	}

	private ThreadFactory recorded(ThreadFactory factory) {
		return (work) -> {
			Thread thread = factory.newThread(work);
			this.made.add(thread);
			return thread;
		};
	}

	private void deliver(ThreadFactory factory) throws InterruptedException {
		for (int i = 0; i < 20; i++) {
			this.api.resources(V1Pod.class).create(pod("blog", "p" + i));
		}
		List<String> delivered = new CopyOnWriteArrayList<>();
		HandlerRegistration handler = this.informers.informer(V1Pod.class).addHandler((event) -> {
			this.callers.add(Thread.currentThread());
			if (event.attempt() == 1) {
				throw new IllegalStateException("once");
			}
			delivered.add(event.object().getMetadata().getName());
		}, HandlerOptions.defaults()
			.withId("mine")
			.withConcurrency(3)
			.withRetry((failures, cause) -> Duration.ofMillis(failures))
			.withThreadFactory(recorded(factory)));
		this.informers.start();
		assertThat(handler.awaitSync(LONG)).isTrue();
		assertThat(delivered)
			.containsExactlyInAnyOrderElementsOf(IntStream.range(0, 20).mapToObj((i) -> "p" + i).toList());
		assertThat(this.callers).hasSize(40);
	}

}
