package dev.kubeinformer.spring.autoconfigure.client;

import java.util.List;

import ch.qos.logback.classic.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@ExtendWith(OutputCaptureExtension.class)
class ApiClientPreinitializerTests {

	@Test
	void bootShouldFindItAndItShouldNeedNoClusterAndLeaveNoThread(CapturedOutput output) throws Exception {
		ch.qos.logback.classic.Logger logger = (ch.qos.logback.classic.Logger) LoggerFactory
			.getLogger(ApiClientPreinitializer.class);
		Level level = logger.getLevel();
		logger.setLevel(Level.DEBUG);
		try {
			List<BackgroundPreinitializer> all = SpringFactoriesLoader.forDefaultResourceLocation()
				.load(BackgroundPreinitializer.class);
			assertThat(all).hasAtLeastOneElementOfType(ApiClientPreinitializer.class);
			for (BackgroundPreinitializer each : all) {
				each.preinitialize();
			}
			Thread thread = new ApiClientPreinitializer().begin();
			assertThat(thread.isDaemon()).isTrue();
			thread.join();
			await().untilAsserted(() -> assertThat(names()).noneMatch((name) -> name.startsWith("informer-")));
		}
		finally {
			logger.setLevel(level);
		}
		assertThat(output).contains("Loaded Informers in the background")
			.doesNotContain("Loading in the background failed")
			.doesNotContain("Exception in thread");
	}

	private static List<String> names() {
		return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
	}

}
