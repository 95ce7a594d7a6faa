package dev.kubeinformer.test.internal.write;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Generates random UIDs of objects. Tests do not need the JVM's secure generator, which
 * is slow to load and uses a lock.
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
