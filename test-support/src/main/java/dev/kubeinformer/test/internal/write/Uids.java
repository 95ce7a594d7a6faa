package dev.kubeinformer.test.internal.write;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Random UIDs of objects. Does not use the JVM's secure generator, which is slow to load
 * and locks, because tests do not need it.
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
