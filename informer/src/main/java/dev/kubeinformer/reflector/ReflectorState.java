package dev.kubeinformer.reflector;

import org.jspecify.annotations.Nullable;

/**
 * What a reflector remembers between two requests. Immutable; every change is a decision
 * of {@link ReflectorDecisions}.
 *
 * @param lastVersion the version of the cache, after which the next watch starts; empty
 * before the first list
 * @param newestSeen the newest version that the server ever showed
 * @param listed whether a list was stored, so that a watch may follow
 * @param needFresh whether the next list must ask for the most recent state, because the
 * server cannot serve {@code lastVersion}
 * @param pagedAtZero whether the list at version {@code 0} came in pages, which says that
 * the server has no watch cache
 * @param unpaged whether the next list must ask for everything at once, because its pages
 * expired
 * @param failures the number of failures since a watch last lived long enough
 * @param brokenFrames the number of frames in a row at {@code lastVersion} that were no
 * events
 * @param errorEventsSince when the first of the error events in a row came, in
 * nanoseconds; {@code null} if the last event was none
 * @param silent whether the last watch was silent for too long, so that the next one
 * proves itself by its first event only
 */
record ReflectorState(String lastVersion, String newestSeen, boolean listed, boolean needFresh, boolean pagedAtZero,
		boolean unpaged, int failures, int brokenFrames, @Nullable Long errorEventsSince, boolean silent) {

	/**
	 * State at the start.
	 * @param version the version of what the cache holds from an earlier run; empty if
	 * nothing
	 * @return the state
	 */
	static ReflectorState initial(String version) {
		return new ReflectorState(version, version, false, false, false, false, 0, 0, null, false);
	}

	ReflectorState failed() {
		return new ReflectorState(this.lastVersion, this.newestSeen, this.listed, this.needFresh, this.pagedAtZero,
				this.unpaged, this.failures + 1, this.brokenFrames, this.errorEventsSince, this.silent);
	}

	ReflectorState steady() {
		return new ReflectorState(this.lastVersion, this.newestSeen, this.listed, this.needFresh, this.pagedAtZero,
				this.unpaged, 0, this.brokenFrames, this.errorEventsSince, this.silent);
	}

	ReflectorState needingFresh() {
		return new ReflectorState(this.lastVersion, this.newestSeen, this.listed, true, this.pagedAtZero, this.unpaged,
				this.failures, this.brokenFrames, this.errorEventsSince, this.silent);
	}

	ReflectorState withoutPages() {
		return new ReflectorState(this.lastVersion, this.newestSeen, this.listed, this.needFresh, this.pagedAtZero,
				true, this.failures, this.brokenFrames, this.errorEventsSince, this.silent);
	}

	ReflectorState stored(String version, String newest, boolean nowPagedAtZero) {
		return new ReflectorState(version, newest, true, false, this.pagedAtZero || nowPagedAtZero, false,
				this.failures, 0, null, this.silent);
	}

	ReflectorState advanced(String version, String newest) {
		return new ReflectorState(version, newest, this.listed, this.needFresh, this.pagedAtZero, this.unpaged,
				this.failures, 0, null, false);
	}

	ReflectorState frameBroken() {
		return new ReflectorState(this.lastVersion, this.newestSeen, this.listed, this.needFresh, this.pagedAtZero,
				this.unpaged, this.failures, this.brokenFrames + 1, this.errorEventsSince, this.silent);
	}

	ReflectorState errorEvent(long now) {
		return new ReflectorState(this.lastVersion, this.newestSeen, this.listed, this.needFresh, this.pagedAtZero,
				this.unpaged, this.failures, this.brokenFrames,
				(this.errorEventsSince != null) ? this.errorEventsSince : Long.valueOf(now), this.silent);
	}

	ReflectorState wentSilent() {
		return new ReflectorState(this.lastVersion, this.newestSeen, this.listed, this.needFresh, this.pagedAtZero,
				this.unpaged, this.failures, this.brokenFrames, this.errorEventsSince, true);
	}

}
