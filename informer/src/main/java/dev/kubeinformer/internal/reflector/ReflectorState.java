package dev.kubeinformer.internal.reflector;

import java.time.Duration;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.ListReason;

/**
 * What a reflector remembers between two requests. Immutable; every change is a decision
 * of {@link ReflectorDecisions}.
 */
final class ReflectorState {

	/**
	 * The version of the cache, after which the next watch starts; empty before a list.
	 */
	private String lastVersion;

	/** The newest version that the server ever showed. */
	private String newestSeen;

	/** Whether a list was stored, so that a watch may follow. */
	private boolean listed;

	/** Whether the next list must ask for the most recent state. */
	private boolean needFresh;

	/** Whether the next list is asked for to find damage that nothing else shows. */
	private boolean verifying;

	/** Whether the list at version 0 came in pages: the server has no watch cache. */
	private boolean pagedAtZero;

	/**
	 * Whether the next list must ask for everything at once, because its pages expired.
	 */
	private boolean unpaged;

	/**
	 * Until when lists are not streamed, in nanoseconds; {@code null} if the server was
	 * not found not to stream them.
	 */
	private @Nullable Long streamAgainAt;

	/** Why the next list, or the one under way, is asked for. */
	private ListReason listCause = ListReason.INITIAL;

	/** The number of streaming lists in a row that failed to open. */
	private int unopenedStreams;

	/** The number of streaming lists in a row that ended before their marker. */
	private int interruptedStreams;

	/** The number of failures since watches last lived long enough without one. */
	private int failures;

	/** How long watches have lived since the last failure. */
	private Duration livedSinceFailure = Duration.ZERO;

	/** The number of times that the version expired since watches lived long enough. */
	private int expirations;

	/** How long watches have lived since the version last expired. */
	private Duration livedSinceExpiration = Duration.ZERO;

	/** The number of lists in a row that were cut, as by the server's request timeout. */
	private int cutLists;

	/** The number of frames in a row at the last version that were no events. */
	private int brokenFrames;

	/** The number of lists since the last good one that were no proper protobuf. */
	private int malformedProtobuf;

	/** Whether protobuf is not to be asked for, for a while. */
	private boolean avoidsProtobuf;

	/** When the first of the error events in a row came, in nanoseconds. */
	private @Nullable Long errorEventsSince;

	/** The number of watches in a row that were silent for too long. */
	private int silentResumes;

	/** When the watch under way brought its last bookmark, in nanoseconds. */
	private @Nullable Long bookmarkAt;

	/** Whether the server was seen to send bookmarks more often than it may be silent. */
	private boolean heartbeats;

	/** Whether the server is known to be silent when nothing happens. */
	private boolean quiet;

	/** Whether the server's version is to be asked for before the next watch. */
	private boolean probeDue;

	/** The number of probes that failed since one became due. */
	private int failedProbes;

	/** Whether a watch failed, and nothing has come since. */
	private boolean doubted;

	private ReflectorState(String version) {
		this.lastVersion = version;
		this.newestSeen = version;
	}

	private ReflectorState(ReflectorState other) {
		this.lastVersion = other.lastVersion;
		this.newestSeen = other.newestSeen;
		this.listed = other.listed;
		this.needFresh = other.needFresh;
		this.verifying = other.verifying;
		this.pagedAtZero = other.pagedAtZero;
		this.unpaged = other.unpaged;
		this.streamAgainAt = other.streamAgainAt;
		this.listCause = other.listCause;
		this.unopenedStreams = other.unopenedStreams;
		this.interruptedStreams = other.interruptedStreams;
		this.failures = other.failures;
		this.livedSinceFailure = other.livedSinceFailure;
		this.brokenFrames = other.brokenFrames;
		this.malformedProtobuf = other.malformedProtobuf;
		this.avoidsProtobuf = other.avoidsProtobuf;
		this.expirations = other.expirations;
		this.livedSinceExpiration = other.livedSinceExpiration;
		this.cutLists = other.cutLists;
		this.errorEventsSince = other.errorEventsSince;
		this.silentResumes = other.silentResumes;
		this.bookmarkAt = other.bookmarkAt;
		this.heartbeats = other.heartbeats;
		this.quiet = other.quiet;
		this.probeDue = other.probeDue;
		this.failedProbes = other.failedProbes;
		this.doubted = other.doubted;
	}

	/**
	 * State at the start.
	 * @param version the version of what the cache holds from an earlier run; empty if
	 * nothing
	 * @return the state
	 */
	static ReflectorState initial(String version) {
		return new ReflectorState(version);
	}

	private ReflectorState with(Consumer<ReflectorState> change) {
		ReflectorState copy = new ReflectorState(this);
		change.accept(copy);
		return copy;
	}

	ReflectorState failed() {
		return with((next) -> {
			next.failures++;
			next.livedSinceFailure = Duration.ZERO;
		});
	}

	/**
	 * A watch ended.
	 * @param duration how long it was open
	 * @return the state from now on
	 */
	ReflectorState lived(Duration duration) {
		return with((next) -> {
			next.livedSinceFailure = this.livedSinceFailure.plus(duration);
			next.livedSinceExpiration = this.livedSinceExpiration.plus(duration);
			// Bookmarks of different watches say nothing of how often they come.
			next.bookmarkAt = null;
		});
	}

	ReflectorState forgettingFailures() {
		return with((next) -> next.failures = 0);
	}

	ReflectorState forgettingExpirations() {
		return with((next) -> next.expirations = 0);
	}

	ReflectorState doubted() {
		return this.doubted ? this : with((next) -> next.doubted = true);
	}

	ReflectorState listingBecause(ListReason cause) {
		return with((next) -> next.listCause = cause);
	}

	ReflectorState needingFresh() {
		return with((next) -> next.needFresh = true);
	}

	ReflectorState verifying() {
		return with((next) -> {
			next.needFresh = true;
			next.verifying = true;
			next.listCause = ListReason.VERIFICATION;
		});
	}

	ReflectorState unverified() {
		return with((next) -> {
			next.needFresh = false;
			next.verifying = false;
			next.listCause = ListReason.UNRESUMABLE;
		});
	}

	ReflectorState withoutPages() {
		return with((next) -> next.unpaged = true);
	}

	ReflectorState pagedAtZero(boolean paged) {
		return with((next) -> next.pagedAtZero |= paged);
	}

	/**
	 * A list was cut.
	 * @param inPages whether it is to be read in pages of the most recent state from now
	 * on
	 * @return the state from now on
	 */
	ReflectorState listCut(boolean inPages) {
		return with((next) -> {
			next.cutLists++;
			next.needFresh |= inPages;
			next.unpaged &= !inPages;
		});
	}

	ReflectorState streamsUnsupported(long until) {
		return with((next) -> {
			next.streamAgainAt = until;
			next.unopenedStreams = 0;
			next.interruptedStreams = 0;
		});
	}

	ReflectorState streamUnopened() {
		return with((next) -> next.unopenedStreams++);
	}

	ReflectorState streamInterrupted() {
		return with((next) -> next.interruptedStreams++);
	}

	ReflectorState stored(String version, String newest) {
		return with((next) -> {
			next.lastVersion = version;
			next.newestSeen = newest;
			next.listed = true;
			// Every other way back to a list names its cause.
			next.listCause = ListReason.UNRESUMABLE;
			next.needFresh = false;
			next.verifying = false;
			next.unpaged = false;
			next.brokenFrames = 0;
			next.malformedProtobuf = 0;
			next.errorEventsSince = null;
			next.unopenedStreams = 0;
			next.interruptedStreams = 0;
			next.cutLists = 0;
			next.silentResumes = 0;
			next.bookmarkAt = null;
			next.probeDue = false;
			next.doubted = false;
		});
	}

	/**
	 * The version has expired.
	 * @return the state from now on
	 */
	ReflectorState expired() {
		return with((next) -> {
			next.expirations++;
			next.livedSinceExpiration = Duration.ZERO;
			next.listCause = ListReason.EXPIRED;
		});
	}

	/**
	 * An event came.
	 * @param version the version of the cache
	 * @param newest the newest version seen
	 * @param progress whether the version moved: what brings a version that was known
	 * shows a server alive, but not that it can send what comes next
	 * @return the state from now on
	 */
	ReflectorState advanced(String version, String newest, boolean progress) {
		return with((next) -> {
			next.lastVersion = version;
			next.newestSeen = newest;
			next.silentResumes = 0;
			next.doubted = false;
			if (progress) {
				next.brokenFrames = 0;
				next.errorEventsSince = null;
			}
		});
	}

	ReflectorState frameBroken() {
		return with((next) -> next.brokenFrames++);
	}

	ReflectorState protobufMalformed() {
		return with((next) -> next.malformedProtobuf++);
	}

	ReflectorState avoidingProtobuf() {
		return with((next) -> next.avoidsProtobuf = true);
	}

	/**
	 * Protobuf is not asked for. When it is again, malformed answers are counted anew.
	 * @return the state from now on
	 */
	ReflectorState protobufAvoided() {
		return with((next) -> {
			next.avoidsProtobuf = false;
			next.malformedProtobuf = 0;
		});
	}

	ReflectorState errorEvent(long now) {
		return with((next) -> next.errorEventsSince = (this.errorEventsSince != null) ? this.errorEventsSince
				: Long.valueOf(now));
	}

	/**
	 * A bookmark came.
	 * @param now the time, in nanoseconds
	 * @param idleTimeout how long the server may be silent
	 * @return the state from now on
	 */
	ReflectorState bookmarked(long now, Duration idleTimeout) {
		Long before = this.bookmarkAt;
		boolean heartbeat = before != null && now - before <= idleTimeout.toNanos();
		return with((next) -> {
			next.bookmarkAt = now;
			next.heartbeats |= heartbeat;
			next.quiet &= !heartbeat;
		});
	}

	/**
	 * The server's version is to be asked for.
	 * @return the state from now on
	 */
	ReflectorState needingProbe() {
		return with((next) -> {
			next.probeDue = true;
			next.failedProbes = 0;
		});
	}

	ReflectorState probed() {
		return with((next) -> next.probeDue = false);
	}

	/**
	 * The server did not answer with its version.
	 * @param most after how many failures in a row the probe is given up
	 * @return the state from now on
	 */
	ReflectorState probeFailed(int most) {
		return with((next) -> {
			next.failedProbes++;
			next.probeDue = next.failedProbes < most;
		});
	}

	ReflectorState knownToBeQuiet() {
		return with((next) -> next.quiet = true);
	}

	ReflectorState wentSilent() {
		return with((next) -> next.silentResumes++);
	}

	String lastVersion() {
		return this.lastVersion;
	}

	String newestSeen() {
		return this.newestSeen;
	}

	boolean listed() {
		return this.listed;
	}

	ListReason listCause() {
		return this.listCause;
	}

	boolean needFresh() {
		return this.needFresh;
	}

	boolean isVerifying() {
		return this.verifying;
	}

	boolean pagedAtZero() {
		return this.pagedAtZero;
	}

	boolean unpaged() {
		return this.unpaged;
	}

	/**
	 * Whether lists may be streamed now, as far as is known of the server.
	 * @param now the time, in nanoseconds
	 * @return whether to try
	 */
	boolean mayStream(long now) {
		Long again = this.streamAgainAt;
		return again == null || now - again >= 0;
	}

	int unopenedStreams() {
		return this.unopenedStreams;
	}

	int interruptedStreams() {
		return this.interruptedStreams;
	}

	int failures() {
		return this.failures;
	}

	Duration livedSinceFailure() {
		return this.livedSinceFailure;
	}

	int expirations() {
		return this.expirations;
	}

	Duration livedSinceExpiration() {
		return this.livedSinceExpiration;
	}

	int cutLists() {
		return this.cutLists;
	}

	int brokenFrames() {
		return this.brokenFrames;
	}

	int malformedProtobuf() {
		return this.malformedProtobuf;
	}

	boolean avoidsProtobuf() {
		return this.avoidsProtobuf;
	}

	@Nullable Long errorEventsSince() {
		return this.errorEventsSince;
	}

	boolean silent() {
		return this.silentResumes > 0;
	}

	boolean sendsHeartbeats() {
		return this.heartbeats;
	}

	boolean probeDue() {
		return this.probeDue;
	}

	boolean isDoubted() {
		return this.doubted;
	}

	boolean quiet() {
		return this.quiet;
	}

	int silentResumes() {
		return this.silentResumes;
	}

}
