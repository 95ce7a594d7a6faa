package dev.kubeinformer.benchmark.compare;

import java.util.HexFormat;

/**
 * What a set of objects is like: how many there are, and a digest of their names and
 * resourceVersions, for which their order does not matter. Two sets that differ in an
 * object or in the version of one have different digests, but for one chance in 2⁶⁴.
 *
 * @param objects how many
 * @param digest the sum of the {@linkplain #hash hashes} of all
 */
public record ObjectsState(long objects, long digest) {

	/** No objects. */
	public static final ObjectsState EMPTY = new ObjectsState(0, 0);

	// FNV-1a
	private static final long BASIS = 0xcbf29ce484222325L;

	private static final long PRIME = 0x100000001b3L;

	// of the finalizer of MurmurHash3
	private static final long MIX_1 = 0xff51afd7ed558ccdL;

	private static final long MIX_2 = 0xc4ceb9fe1a85ec53L;

	private static final int SHIFT = 33;

	/**
	 * The hash of one object: FNV-1a of {@code namespace/name@resourceVersion}, with its
	 * bits mixed, because the last characters of plain FNV-1a would all but cancel each
	 * other when two objects swap their versions.
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

	// All of them are of ASCII characters.
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
	 * This with one object more.
	 * @param hash the hash of the object
	 * @return the state
	 */
	public ObjectsState with(long hash) {
		return new ObjectsState(this.objects + 1, this.digest + hash);
	}

	/**
	 * The digest as programs print it.
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
