package dev.kubeinformer.internal.codec.pool;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PartPoolTests {

	@Test
	void partsWhoseBytesAreForgottenAreNotKept() {
		PartPool pool = new PartPool(PartPool.MOST_BYTES);
		PartKind kind = pool.kind("maps", PartKind.MAP);
		byte[] bytes = new byte[32 * 1024];
		for (int i = 0; i < 10_000; i++) {
			// A part that repeats keeps the others worth looking for.
			look(pool, kind, "repeats".getBytes(StandardCharsets.US_ASCII));
			bytes[i % bytes.length]++;
			look(pool, kind, bytes);
		}
		// 4 MiB of bytes, and half of that until the last of them is let go.
		assertThat(pool.size()).isLessThan(3 * 128 + 2);
	}

	@Test
	void partsAreFoundAgainAfterTheRingHasGrown() {
		PartPool pool = new PartPool(PartPool.MOST_BYTES);
		PartKind kind = pool.kind("maps", PartKind.MAP);
		byte[] kept = new byte[1000];
		kept[0] = 1;
		pool.object(128 * 1024);
		Object first = look(pool, kind, kept);
		for (int i = 0; i < 500; i++) {
			byte[] other = new byte[700];
			other[1] = (byte) i;
			other[2] = (byte) (i >> 8);
			look(pool, kind, other);
			assertThat(look(pool, kind, kept)).isSameAs(first);
		}
	}

	private static Object look(PartPool pool, PartKind kind, byte[] bytes) {
		pool.object(16 * bytes.length);
		return find(pool, kind, bytes);
	}

	private static Object find(PartPool pool, PartKind kind, byte[] bytes) {
		int hash = pool.hash(bytes, 0, bytes.length);
		Object found = pool.find(kind, hash, bytes, 0, bytes.length);
		if (found != null) {
			return found;
		}
		Object part = new Object();
		pool.add(kind, hash, bytes, 0, bytes.length, part);
		return part;
	}

	@Test
	void smallPoolRemembersFewerBytes() {
		assertThat(remembered(new PartPool(64 * 1024), 400)).isBetween(10, 64);
		assertThat(remembered(new PartPool(PartPool.MOST_BYTES), 400)).isGreaterThan(128);
	}

	@Test
	void partThatWouldFillASmallPoolIsNotRemembered() {
		PartPool small = new PartPool(64 * 1024);
		small.object(2_000_000);
		assertThat(small.isWorth(small.kind("decoder", PartKind.SINGLE), new byte[10_000], 0, 10_000)).isFalse();
		assertThat(small.isWorth(small.kind("decoder", PartKind.SINGLE), new byte[8_000], 0, 8_000)).isTrue();
	}

	@Test
	void poolGrowsWithTheObjectsAndWhatItSaves() {
		PartPool large = new PartPool(PartPool.MOST_BYTES);
		lookForHalfRepeating(large, 100_000);
		assertThat(large.bytes()).isGreaterThan(100_000);
		PartPool small = new PartPool(PartPool.MOST_BYTES);
		lookForHalfRepeating(small, 1_000);
		assertThat(small.bytes()).isLessThan(10_000);
	}

	@Test
	void poolOfAFewObjectsStaysSmallHoweverOftenTheyChange() {
		PartPool pool = new PartPool(PartPool.MOST_BYTES, () -> 10);
		lookForHalfRepeating(pool, 100_000);
		assertThat(pool.bytes()).isLessThan(4 * 1024);
	}

	// The others are worth to be looked for.
	private static void lookForHalfRepeating(PartPool pool, int objects) {
		PartKind kind = pool.kind("metadata", PartKind.SINGLE);
		for (int i = 0; i < objects; i++) {
			String name = (i % 2 == 0) ? "pod-" + i / 2 % 10 : "an-application-of-its-own-" + i;
			byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
			pool.object(bytes.length + 4);
			if (pool.isWorth(kind, bytes, 0, bytes.length)) {
				find(pool, kind, bytes);
			}
		}
	}

	@Test
	void poolIsGivenUpWithTheObjects() {
		int[] present = { 10_000 };
		PartPool pool = new PartPool(PartPool.MOST_BYTES, () -> present[0]);
		assertThat(remembered(pool, 400)).isGreaterThan(128);
		present[0] = 1;
		pool.object(1024);
		assertThat(pool.size()).isZero();
		assertThat(pool.bytes()).isLessThan(4 * 1024);
	}

	// Returns the number of 1 KB parts that are found again after all were added.
	private static int remembered(PartPool pool, int parts) {
		PartKind kind = pool.kind("decoder", PartKind.SINGLE);
		byte[] bytes = new byte[1024];
		for (int i = 0; i < parts; i++) {
			bytes[0] = (byte) i;
			bytes[1] = (byte) (i >> 8);
			pool.object(16 * bytes.length);
			pool.add(kind, pool.hash(bytes, 0, bytes.length), bytes, 0, bytes.length, i);
		}
		int found = 0;
		for (int i = parts - 1; i >= 0; i--) {
			bytes[0] = (byte) i;
			bytes[1] = (byte) (i >> 8);
			Object part = pool.find(kind, pool.hash(bytes, 0, bytes.length), bytes, 0, bytes.length);
			if (part != null) {
				assertThat(part).isEqualTo(i);
				found++;
			}
		}
		return found;
	}

	@Test
	void whatRepeatsFarApartIsFoundOnceThereIsRoomForIt() {
		PartPool pool = new PartPool(PartPool.MOST_BYTES);
		for (int round = 0; round < 30; round++) {
			lookForOwners(pool, 1_000);
		}
		assertThat(lookForOwners(pool, 1_000)).isGreaterThan(800);
	}

	@Test
	void whatNeverRepeatsIsHardlyLookedFor() {
		PartPool pool = new PartPool(PartPool.MOST_BYTES);
		PartKind kind = pool.kind("status", PartKind.SINGLE);
		int worth = 0;
		for (int i = 0; i < 100_000; i++) {
			byte[] bytes = ("the-status-of-one-pod-alone-" + i * 7919L).getBytes(StandardCharsets.US_ASCII);
			pool.object(10 * bytes.length);
			if (pool.isWorth(kind, bytes, 0, bytes.length)) {
				worth++;
				find(pool, kind, bytes);
			}
		}
		assertThat(worth).isLessThan(10_000);
	}

	@Test
	void afterAListMostRoomIsGivenBackAndTakenAgainWhereItIsNeeded() {
		PoolBudget.Share share = PoolBudget.unbounded();
		PartPool pool = new PartPool(PartPool.MOST_BYTES, () -> 0, share);
		for (int round = 0; round < 30; round++) {
			lookForOwners(pool, 1_000);
		}
		int before = pool.bytes();
		long held = share.held();
		pool.rest();
		assertThat(pool.bytes()).isEqualTo(before / 8);
		assertThat(share.held()).isPositive().isLessThanOrEqualTo(held / 4);
		for (int round = 0; round < 4; round++) {
			lookForOwners(pool, 1_000);
		}
		assertThat(lookForOwners(pool, 1_000)).isGreaterThan(800);
	}

	@Test
	void changesAfterAListShouldNotTakeTheRoomOfAList() {
		PartPool pool = new PartPool(PartPool.MOST_BYTES);
		for (int round = 0; round < 30; round++) {
			lookForOwners(pool, 1_000);
		}
		pool.rest();
		for (int round = 0; round < 30; round++) {
			lookForOwners(pool, 10_000);
		}
		assertThat(pool.bytes()).isEqualTo(PartPool.MOST_BYTES / 8);
		pool.work();
		for (int round = 0; round < 30; round++) {
			lookForOwners(pool, 10_000);
		}
		assertThat(pool.bytes()).isGreaterThan(PartPool.MOST_BYTES / 8);
	}

	// Each owner once, and how many of them were found.
	private static int lookForOwners(PartPool pool, int owners) {
		PartKind kind = pool.kind("owner", PartKind.SINGLE);
		int found = 0;
		for (int i = 0; i < owners; i++) {
			byte[] bytes = owner(i);
			pool.object(5 * bytes.length);
			if (pool.isWorth(kind, bytes, 0, bytes.length)) {
				int hash = pool.hash(bytes, 0, bytes.length);
				if (pool.find(kind, hash, bytes, 0, bytes.length) != null) {
					found++;
				}
				else {
					pool.add(kind, hash, bytes, 0, bytes.length, i);
				}
			}
		}
		return found;
	}

	private static byte[] owner(int number) {
		return "ReplicaSet application-%d 8c5fd8cc-0000-4000-8000-%012x apps/v1 controller, which blocks its deletion"
			.formatted(number, number * 2_654_435_761L & 0xffffffffL)
			.getBytes(StandardCharsets.US_ASCII);
	}

}
