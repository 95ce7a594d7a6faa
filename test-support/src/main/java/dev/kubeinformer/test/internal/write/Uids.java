package dev.kubeinformer.test.internal.write;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The UIDs of objects: random, but not by the secure generator of the JVM, which takes
 * its time to load and to lock, and is not needed in tests.
 */
final class Uids {

	private static final long VERSION_4 = 0x4000L;

	private static final long VARIANT = Long.MIN_VALUE;

	private Uids() {
	}

	static String next() {
		ThreadLocalRandom random = ThreadLocalRandom.current();
		return new UUID((random.nextLong() & ~0xf000L) | VERSION_4, (random.nextLong() >>> 2) | VARIANT).toString();
	}

}
