package dev.kubeinformer.internal.codec.pool;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class PoolBudgetTests {

	private static final int OBJECTS = 40_000;

	private final PoolBudget budget = new PoolBudget(512 * 1024);

	@Test
	void tenBusyPoolsNeverExceedTheBudgetAndNoneStarves() {
		List<Reader> readers = IntStream.range(0, 10).mapToObj((number) -> new Reader(number, this.budget)).toList();
		for (int i = 0; i < OBJECTS; i++) {
			for (Reader reader : readers) {
				reader.read(i);
			}
			assertThat(this.budget.reserved()).isLessThanOrEqualTo(this.budget.bytes());
		}
		assertThat(readers).allSatisfy((reader) -> {
			assertThat(reader.share.held()).isBetween(this.budget.bytes() / 40, this.budget.bytes() / 5);
			assertThat(reader.findsWhatRepeats()).isTrue();
		});
	}

	@Test
	void busyPoolTakesWhatIsFreeAndLeavesRoomForOthers() {
		Reader busy = new Reader(0, this.budget);
		busy.read(0, OBJECTS);
		assertThat(busy.share.held()).isBetween(this.budget.bytes() / 2, this.budget.bytes() * 7 / 8);
	}

	@Test
	void busyPoolGivesBackWhatOthersNeed() {
		Reader busy = new Reader(0, this.budget);
		busy.read(0, OBJECTS);
		long before = busy.share.held();
		List<Reader> others = IntStream.range(1, 10).mapToObj((number) -> new Reader(number, this.budget)).toList();
		others.forEach((reader) -> reader.read(0, OBJECTS));
		// It reads something now and then, such as a bookmark.
		for (int i = 0; i < 100; i++) {
			busy.read(OBJECTS + i);
		}
		assertThat(busy.share.held()).isLessThanOrEqualTo(before / 2);
		for (int i = OBJECTS; i < 2 * OBJECTS; i++) {
			for (Reader reader : others) {
				reader.read(i);
			}
		}
		assertThat(this.budget.reserved()).isLessThanOrEqualTo(this.budget.bytes());
		assertThat(others)
			.allSatisfy((reader) -> assertThat(reader.share.held()).isGreaterThan(this.budget.bytes() / 40));
		assertThat(busy.findsWhatRepeats()).isTrue();
	}

	@Test
	void closedShareGivesItsPartBackAndTakesNothingMore() {
		Reader closed = new Reader(0, this.budget);
		Reader other = new Reader(1, this.budget);
		closed.read(0, OBJECTS);
		long held = closed.share.held();
		assertThat(this.budget.reserved()).isEqualTo(held + other.share.held());
		closed.share.close();
		closed.share.close();
		assertThat(this.budget.reserved()).isEqualTo(other.share.held());
		closed.read(OBJECTS, 2 * OBJECTS);
		assertThat(this.budget.reserved()).isEqualTo(other.share.held());
	}

	@Test
	void shareThatWasAskedBackGrowsAgainOnceOthersAreGone() {
		Reader busy = new Reader(0, this.budget);
		List<Reader> others = IntStream.range(1, 10).mapToObj((number) -> new Reader(number, this.budget)).toList();
		for (int i = 0; i < OBJECTS; i++) {
			busy.read(i);
			for (Reader reader : others) {
				reader.read(i);
			}
		}
		long before = busy.share.held();
		others.forEach((reader) -> reader.share.close());
		assertThat(this.budget.reserved()).isEqualTo(before);
		busy.read(OBJECTS, 2 * OBJECTS);
		assertThat(busy.share.held()).isGreaterThan(2 * before);
	}

	@Test
	void withoutRoomEverythingIsReadAllTheSame() {
		PoolBudget none = new PoolBudget(0);
		Reader reader = new Reader(0, none);
		reader.read(0, 2_000);
		assertThat(none.reserved()).isZero();
		assertThat(reader.parts.isWorth(reader.kind, new byte[10], 0, 10)).isFalse();
		assertThat(reader.known.quantity("100m").toSuffixedString()).isEqualTo("100m");
		assertThat(reader.known.boxed(70_000)).isEqualTo(70_000);
		assertThat(reader.known.intOrString("http").getStrValue()).isEqualTo("http");
	}

	@Test
	void poolsThatFoundNoRoomBeginOnceThereIsSome() {
		PoolBudget small = new PoolBudget(8 * 1024);
		Reader first = new Reader(0, small);
		first.read(0, 2_000);
		Reader second = new Reader(1, small);
		PoolBudget.Share rest = small.share();
		while (rest.reserve(64)) {
			// Until nothing is left.
		}
		Reader third = new Reader(2, small);
		third.read(0, 2_000);
		assertThat(third.share.held()).isZero();
		first.share.close();
		second.share.close();
		rest.close();
		third.read(2_000, 8_000);
		assertThat(third.share.held()).isPositive();
		assertThat(third.findsWhatRepeats()).isTrue();
	}

	@Test
	void poolsOfSeveralThreadsTakeTogetherWhatThereIs() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(8);
		try {
			List<Callable<Reader>> work = new ArrayList<>();
			for (int i = 0; i < 8; i++) {
				int number = i;
				work.add(() -> {
					Reader reader = new Reader(number, this.budget);
					reader.read(0, OBJECTS / 4);
					return reader;
				});
			}
			long held = 0;
			for (Future<Reader> each : threads.invokeAll(work)) {
				held += each.get().share.held();
			}
			assertThat(this.budget.reserved()).isEqualTo(held).isLessThanOrEqualTo(this.budget.bytes());
		}
		finally {
			threads.shutdownNow();
		}
	}

	@Test
	void budgetIsNotNegative() {
		assertThatIllegalArgumentException().isThrownBy(() -> new PoolBudget(-7)).withMessageContaining("-7");
	}

	/** Memory of one reader for objects, half of whose parts and strings repeat. */
	private static final class Reader {

		private final PoolBudget.Share share;

		private final KnownValues known;

		private final PartPool parts;

		private final PartKind kind;

		private final int number;

		Reader(int number, PoolBudget budget) {
			this.number = number;
			this.share = budget.share();
			this.known = new KnownValues(KnownValues.STRINGS, this.share, () -> 0);
			this.parts = new PartPool(PartPool.MOST_BYTES, () -> 0, this.share);
			this.kind = this.parts.kind("labels", PartKind.MAP);
		}

		void read(int from, int to) {
			for (int i = from; i < to; i++) {
				read(i);
			}
		}

		void read(int object) {
			this.known.string(new String("repeats-" + this.number + "-" + object % 10));
			this.known.string("object-" + this.number + "-" + object);
			this.known.time(1_700_000_000L + object, 0);
			part("part-" + this.number + "-" + object % 10);
			part("the-part-of-one-object-only-" + this.number + "-" + object);
		}

		private Object part(String text) {
			byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
			this.parts.object(16 * bytes.length);
			if (!this.parts.isWorth(this.kind, bytes, 0, bytes.length)) {
				return text;
			}
			int hash = this.parts.hash(bytes, 0, bytes.length);
			Object found = this.parts.find(this.kind, hash, bytes, 0, bytes.length);
			if (found == null) {
				this.parts.add(this.kind, hash, bytes, 0, bytes.length, text);
			}
			return (found != null) ? found : text;
		}

		boolean findsWhatRepeats() {
			String first = this.known.string(new String("repeats-" + this.number + "-0"));
			return this.known.string(new String("repeats-" + this.number + "-0")) == first;
		}

	}

}
