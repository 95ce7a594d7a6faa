package dev.kubeinformer.sample.page;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;

/**
 * Tests of {@link PageController}.
 */
class PageControllerTests {

	private final AtomicInteger starts = new AtomicInteger();

	@Test
	void experimentShouldNotStartAgainWhileItRuns() {
		PageController controller = controller(Duration.ofMinutes(1));
		long lasts = controller.start("experiment").lasts();
		assertThat(lasts).isBetween(1L, 60000L);
		assertThat(controller.start("experiment").lasts()).isBetween(1L, lasts);
		assertThat(this.starts).hasValue(1);
	}

	@Test
	void experimentShouldStartAgainAfterItsEnd() {
		PageController controller = controller(Duration.ofMinutes(-1));
		controller.start("experiment");
		controller.start("experiment");
		assertThat(this.starts).hasValue(2);
	}

	@Test
	void unknownExperimentShouldBeNamed() {
		PageController controller = controller(Duration.ZERO);
		assertThatExceptionOfType(ResponseStatusException.class).isThrownBy(() -> controller.start("nonsense"))
			.withMessageContaining("'nonsense'")
			.withMessageContaining("[experiment]")
			.satisfies((ex) -> assertThat(ex.getStatusCode()).isEqualTo(HttpStatus.NOT_FOUND));
	}

	private PageController controller(Duration time) {
		return new PageController(mock(LiveFeed.class), new LiveClients(Runnable::run), Map.of("experiment", () -> {
			this.starts.incrementAndGet();
			return time;
		}));
	}

}
