package dev.kubeinformer.internal.reflector;

/**
 * Versions of the cache and of the server.
 *
 * @param last the version of the cache, after which the next watch starts; empty before a
 * list
 * @param newest the newest version that the server ever showed
 * @param listed whether a list was stored, so that a watch may follow
 * @param comparedAt when the cache was last compared with the server, or that was given
 * up, in nanoseconds
 */
record Versions(String last, String newest, boolean listed, long comparedAt) {

	static Versions initial(String version) {
		return new Versions(version, version, false, 0);
	}

	Versions advanced(String version, String newestSeen) {
		return new Versions(version, newestSeen, this.listed, this.comparedAt);
	}

	Versions comparedAt(long now) {
		return new Versions(this.last, this.newest, this.listed, now);
	}

	boolean isResumable() {
		// A watch from "" starts at any state there is.
		return !this.last.isEmpty();
	}

}
