package dev.kubeinformer.benchmark.leader;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class EntryTests {

	@Test
	void entryShouldBeReadAsItIsWritten() {
		assertThat(Entry.of("a", Entry.line(42, Entry.Kind.REVOKED, 7, "EXPIRED")))
			.isEqualTo(new Entry("a", 42, Entry.Kind.REVOKED, List.of("7", "EXPIRED")));
	}

	@Test
	void blanksInDetailsShouldNotMakeMoreDetails() {
		assertThat(Entry.of("a", Entry.line(42, Entry.Kind.END, "7", "not written"))).isNotNull()
			.satisfies((entry) -> assertThat(entry.details()).containsExactly("7", "not_written"));
	}

	@Test
	void otherLineShouldBeNoEntry() {
		assertThat(Entry.of("a", "Started Replica in 3 seconds")).isNull();
	}

	@Test
	void lineThatWasCutOffShouldBeRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> Entry.of("a", "ENTRY 42")).withMessageContaining("'a'");
	}

}
