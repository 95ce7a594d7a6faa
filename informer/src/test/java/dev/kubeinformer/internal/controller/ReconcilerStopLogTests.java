package dev.kubeinformer.internal.controller;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.types.ClusterName;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what the log says while a reconciler stops.
 */
class ReconcilerStopLogTests {

	private final Logger logger = (Logger) LoggerFactory.getLogger(ReconcilerContainer.class);

	private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

	@BeforeEach
	void listen() {
		this.logger.setLevel(Level.INFO);
		this.lines.start();
		this.logger.addAppender(this.lines);
	}

	@AfterEach
	void close() {
		this.logger.detachAppender(this.lines);
		this.logger.setLevel(null);
	}

	private static ReconcilerReporter reports(Duration drainTimeout) {
		return reports(drainTimeout, System::nanoTime);
	}

	private static ReconcilerReporter reports(Duration drainTimeout, LongSupplier nanoTime) {
		ReconcilerSpec<V1Pod> spec = ReconcilerSpec.of("slow", V1Pod.class, (pod, run) -> null)
			.withDrainTimeout(drainTimeout);
		ReconcilerContainer container = (ReconcilerContainer) Proxy.newProxyInstance(
				ReconcilerStopLogTests.class.getClassLoader(), new Class<?>[] { ReconcilerContainer.class },
				(proxy, method, arguments) -> method.getName().equals("spec") ? spec : "Reconciler 'slow'");
		return new ReconcilerReporter(container, new ClusterName(ClusterName.DEFAULT), nanoTime);
	}

	private List<String> logged(Level level) {
		return this.lines.list.stream()
			.filter((line) -> line.getLevel() == level)
			.map(ILoggingEvent::getFormattedMessage)
			.toList();
	}

	@Test
	void stopShouldSayHowLongItWaitsForHowManyRuns() {
		reports(Duration.ofSeconds(20)).awaited(1);
		reports(Duration.ofMillis(1500)).awaited(2);
		assertThat(logged(Level.INFO)).containsExactly("Reconciler 'slow' stops; waits up to 20 s for 1 run",
				"Reconciler 'slow' stops; waits up to 1500 ms for 2 runs");
	}

	@Test
	void stopThatMustNotWaitShouldSayNothing() {
		reports(Duration.ZERO).awaited(1);
		assertThat(this.lines.list).isEmpty();
	}

	@Test
	void interruptedRunsShouldBeReportedInOneLineWithAFewKeys() {
		reports(Duration.ofSeconds(20))
			.interrupted(IntStream.rangeClosed(1, 7).mapToObj((i) -> new ObjectKey("shop", "o" + i)).toList());
		assertThat(logged(Level.WARN)).containsExactly(
				"Reconciler 'slow' was interrupted on 'shop/o1', 'shop/o2', 'shop/o3', 'shop/o4', 'shop/o5' and 2 more: the drain timeout expired");
	}

	@Test
	void manyKeysInALoopShouldBeLoggedOnceAMinuteAndCounted() {
		AtomicLong clock = new AtomicLong();
		ReconcilerReporter reports = reports(Duration.ofSeconds(20), clock::get);
		for (int i = 0; i < 1000; i++) {
			ObjectKey key = new ObjectKey("a", "pod" + i);
			reports.slowed(key, Duration.ofSeconds(1));
			reports.loopDetected(key, "pods", "spec");
			reports.unparked(key, Duration.ofSeconds(10), false);
			reports.released(key);
		}
		assertThat(logged(Level.WARN)).hasSize(3).allMatch((line) -> line.contains("'a/pod0'"));
		assertThat(logged(Level.INFO)).isEmpty();
		clock.set(Duration.ofSeconds(61).toNanos());
		reports.slowed(new ObjectKey("a", "late"), Duration.ofSeconds(1));
		assertThat(logged(Level.WARN)).hasSize(4)
			.last()
			.asString()
			.contains("'a/late'", "one run in 1 s at first")
			.endsWith("after 999 more of this kind");
	}

}
