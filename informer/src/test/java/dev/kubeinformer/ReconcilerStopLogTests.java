package dev.kubeinformer;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
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

	private static ReconcilerReports reports(Duration drainTimeout) {
		ReconcilerSpec<V1Pod> spec = ReconcilerSpec.of("slow", V1Pod.class, (pod, run) -> null)
			.withDrainTimeout(drainTimeout);
		ReconcilerContainer container = (ReconcilerContainer) Proxy.newProxyInstance(
				ReconcilerStopLogTests.class.getClassLoader(), new Class<?>[] { ReconcilerContainer.class },
				(proxy, method, arguments) -> method.getName().equals("spec") ? spec : "Reconciler 'slow'");
		return new ReconcilerReports(container, System::nanoTime);
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
				"Reconciler 'slow' was interrupted on 'shop/o1', 'shop/o2', 'shop/o3', 'shop/o4', 'shop/o5' and 2 more: the time to stop was over");
	}

}
