package dev.kubeinformer.benchmark.controller;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class StatusTests {

	@Test
	void statusShouldBeReadAsItIsWritten() {
		Status status = new Status(40_000, 2, 20_000, 1_795_387_934_346L, 27_889_632);
		assertThat(Status.of(status.line())).isEqualTo(status);
	}

	@Test
	void statusOfGoShouldBeRead() {
		assertThat(
				Status.of("STATUS {\"reconciles\": 4, \"failures\": 3, \"writes\": 2, \"lastWrite\": 1, \"heap\": 0}"))
			.isEqualTo(new Status(4, 3, 2, 1, 0));
	}

	@Test
	void otherLineShouldBeRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> Status.of("STATUS {}"))
			.withMessageContaining("STATUS {}");
	}

}
