package dev.kubeinformer.chaos;

import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.LeaderElector;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that {@link ChaosClusterTests} would see what must not happen.
 */
class OversightTests {

	private static final ObjectKey KEY = new ObjectKey("shop", "a");

	private final Oversight oversight = new Oversight();

	@AfterEach
	void close() {
		this.oversight.close();
	}

	@Test
	void runsOfAKeyThatOverlapShouldBeWrong() {
		this.oversight.begin(Replica.LED, KEY, "one");
		this.oversight.begin(Replica.ALONE, KEY, "one");
		this.oversight.begin(Replica.LED, new ObjectKey("shop", "b"), "one");
		assertThat(this.oversight.wrong()).isEmpty();
		this.oversight.begin(Replica.LED, KEY, "two");
		assertThat(this.oversight.wrong()).singleElement().asString().contains("of shop/a by two overlaps one by one");
	}

	@Test
	void runsOfAKeyOneAfterTheOtherShouldNotBeWrong() {
		this.oversight.begin(Replica.LED, KEY, "one");
		this.oversight.end(Replica.LED, KEY, "one");
		this.oversight.begin(Replica.LED, KEY, "two");
		assertThat(this.oversight.wrong()).isEmpty();
		assertThat(this.oversight.runs()).isEqualTo(2);
	}

	@Test
	void writeOfATermAfterOneOfALaterTermShouldBeWrong() {
		this.oversight.stored(1, 10);
		this.oversight.stored(2, 20);
		// Events of different objects come in any order.
		this.oversight.stored(1, 15);
		assertThat(this.oversight.wrong()).isEmpty();
		this.oversight.stored(1, 21);
		assertThat(this.oversight.wrong()).singleElement().asString().contains("A write of term 1 made version 21");
	}

	@Test
	void leadersAtTheSameTimeShouldBeWrong() {
		this.oversight.watch(List.of(LeaderElector.always(), LeaderElector.always()));
		await().untilAsserted(() -> assertThat(this.oversight.wrong()).isNotEmpty());
	}

}
