package dev.kubeinformer.benchmark.compare;

import java.util.HexFormat;

/**
 * State of a set of objects: their number, and a digest of their names and
 * resourceVersions that does not depend on their order. The digests of two sets that
 * differ in an object or a version are different, except for a chance of one in 2⁶⁴.
 *
 * @param objects the number of objects
 * @param digest the sum of the {@linkplain #hash hashes} of all
 */
public record ObjectsState(long objects, long digest) {

	/** State without objects. */
	public static final ObjectsState EMPTY = new ObjectsState(0, 0);

	// FNV-1a
	private static final long BASIS = 0xcbf29ce484222325L;

	private static final long PRIME = 0x100000001b3L;

	// Constants of the finalizer of MurmurHash3.
	private static final long MIX_1 = 0xff51afd7ed558ccdL;

	private static final long MIX_2 = 0xc4ceb9fe1a85ec53L;

	private static final int SHIFT = 33;

	/**
	 * Returns the hash of one object: FNV-1a of {@code namespace/name@resourceVersion}
	 * with mixed bits, because in plain FNV-1a the last characters would nearly cancel
	 * each other when two objects swap their versions.
	 * @param namespace the namespace
	 * @param name the name
	 * @param version the resourceVersion
	 * @return the hash
	 */
	public static long hash(String namespace, String name, String version) {
		long hash = add(BASIS, namespace);
		hash = add(hash, '/');
		hash = add(hash, name);
		hash = add(hash, '@');
		return mix(add(hash, version));
	}

	// All characters are ASCII.
	private static long add(long before, String text) {
		long hash = before;
		for (int i = 0; i < text.length(); i++) {
			hash = add(hash, text.charAt(i));
		}
		return hash;
	}

	private static long add(long before, char character) {
		return (before ^ character) * PRIME;
	}

	private static long mix(long hash) {
		long mixed = (hash ^ (hash >>> SHIFT)) * MIX_1;
		mixed = (mixed ^ (mixed >>> SHIFT)) * MIX_2;
		return mixed ^ (mixed >>> SHIFT);
	}

	/**
	 * Returns the state with one more object.
	 * @param hash the hash of the object
	 * @return the state
	 */
	public ObjectsState with(long hash) {
		return new ObjectsState(this.objects + 1, this.digest + hash);
	}

	/**
	 * Returns the digest as the programs print it.
	 * @return 16 hexadecimal digits
	 */
	public String hex() {
		return HexFormat.of().toHexDigits(this.digest);
	}

	@Override
	public String toString() {
		return "%d objects (%s)".formatted(this.objects, hex());
	}

}
