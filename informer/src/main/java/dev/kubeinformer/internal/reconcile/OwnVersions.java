package dev.kubeinformer.internal.reconcile;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Latest few thousand versions that runs of this process received from the API server. A
 * change that has one of these versions was made by this process.
 */
public final class OwnVersions {

	private static final int MOST = 4096;

	/** Versions, the oldest first; guarded by itself. */
	private final Map<Version, Boolean> versions = new LinkedHashMap<>() {

		@Override
		protected boolean removeEldestEntry(Map.Entry<Version, Boolean> eldest) {
			return size() > MOST;
		}

	};

	/**
	 * Notes a version.
	 * @param uid the UID of the object
	 * @param version the version that a run received
	 */
	public void received(String uid, String version) {
		synchronized (this.versions) {
			this.versions.put(new Version(uid, version), true);
		}
	}

	/**
	 * Returns whether a version was received by a run of this process.
	 * @param uid the UID of the object
	 * @param version the version
	 * @return {@code true} if a run received the version; {@code false} if none did, or
	 * if that was long ago
	 */
	public boolean contains(String uid, String version) {
		synchronized (this.versions) {
			return this.versions.containsKey(new Version(uid, version));
		}
	}

	private record Version(String uid, String version) {

	}

}
