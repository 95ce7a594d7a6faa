package dev.kubeinformer.internal.reflector;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListReason;

/**
 * State of a reflector between two requests. Every change is a decision of
 * {@link ListDecisions} or {@link WatchDecisions}.
 *
 * @param versions the versions of the cache and of the server
 * @param nextList the parameters of the next list
 * @param streams the knowledge about the server's streaming lists
 * @param failures the failures that the next wait depends on
 * @param doubts the counts of failures that raise doubts about the watch
 * @param heartbeat the signs of life of an idle server
 * @param encoding the knowledge about protobuf responses
 */
record ReflectorState(Versions versions, NextList nextList, Streams streams, Failures failures,
		WatchFailureCounts doubts, Heartbeat heartbeat, Encoding encoding) {

	/**
	 * Returns the state at the start.
	 * @param version the version of the cache's content from an earlier run; empty if
	 * there is none
	 * @return the state
	 */
	static ReflectorState initial(String version) {
		return new ReflectorState(Versions.initial(version), NextList.initial(), Streams.initial(), Failures.none(),
				WatchFailureCounts.none(), Heartbeat.unknown(), Encoding.initial());
	}

	ReflectorState with(Versions next) {
		return new ReflectorState(next, this.nextList, this.streams, this.failures, this.doubts, this.heartbeat,
				this.encoding);
	}

	ReflectorState with(NextList next) {
		return new ReflectorState(this.versions, next, this.streams, this.failures, this.doubts, this.heartbeat,
				this.encoding);
	}

	ReflectorState with(Streams next) {
		return new ReflectorState(this.versions, this.nextList, next, this.failures, this.doubts, this.heartbeat,
				this.encoding);
	}

	ReflectorState with(Failures next) {
		return new ReflectorState(this.versions, this.nextList, this.streams, next, this.doubts, this.heartbeat,
				this.encoding);
	}

	ReflectorState with(WatchFailureCounts next) {
		return (next == this.doubts) ? this : new ReflectorState(this.versions, this.nextList, this.streams,
				this.failures, next, this.heartbeat, this.encoding);
	}

	ReflectorState with(Heartbeat next) {
		return (next == this.heartbeat) ? this : new ReflectorState(this.versions, this.nextList, this.streams,
				this.failures, this.doubts, next, this.encoding);
	}

	ReflectorState with(Encoding next) {
		return new ReflectorState(this.versions, this.nextList, this.streams, this.failures, this.doubts,
				this.heartbeat, next);
	}

	ReflectorState failed() {
		return with(this.failures.failed());
	}

	ReflectorState expired() {
		return with(this.failures.expired());
	}

	ReflectorState doubted() {
		return with(this.doubts.watchFailed());
	}

	ReflectorState needingProbe() {
		return with(this.doubts.needingProbe());
	}

	ReflectorState needingFresh() {
		return with(this.nextList.asFresh());
	}

	ReflectorState needingCurrent() {
		return with(this.nextList.asCurrent());
	}

	ReflectorState listingBecause(ListReason reason) {
		return with(this.nextList.because(reason));
	}

	ReflectorState verifying() {
		return with(this.nextList.asVerification());
	}

	/**
	 * Returns the state after a watch.
	 * @param duration the time for which the watch was open
	 * @param reset the time with open watches after which the backoff is reset
	 * @return the new state
	 */
	ReflectorState lived(Duration duration, Duration reset) {
		return with(this.failures.lived(duration, reset)).with(this.heartbeat.watchEnded());
	}

	/**
	 * Returns the state after a stored list.
	 * @param version the version of the list
	 * @param newest the newest version seen
	 * @param now the time, in nanoseconds
	 * @return the new state
	 */
	ReflectorState stored(String version, String newest, long now) {
		return new ReflectorState(new Versions(version, newest, true, now), this.nextList.stored(),
				this.streams.stored(), this.failures, WatchFailureCounts.none(), this.heartbeat.watchEnded(),
				this.encoding.stored());
	}

	/**
	 * Returns the state after an event.
	 * @param version the version of the cache
	 * @param newest the newest version seen
	 * @return the new state
	 */
	ReflectorState advanced(String version, String newest) {
		WatchFailureCounts left = this.doubts.event(!version.equals(this.versions.last()));
		return new ReflectorState(this.versions.advanced(version, newest), this.nextList, this.streams, this.failures,
				left, this.heartbeat, this.encoding);
	}

	/**
	 * Returns the state to report while there is no watch and no more specific state
	 * applies.
	 * @return the state to report
	 */
	InformerState notLive() {
		return this.versions.listed() ? InformerState.STALE : InformerState.SYNCING;
	}

	/**
	 * Versions of the cache and of the server.
	 *
	 * @param last the version of the cache, after which the next watch starts; empty
	 * before a list
	 * @param newest the newest version that the server has ever shown
	 * @param listed whether a list was stored, so that a watch may follow
	 * @param comparedAt the time of the last comparison with the server, or of the last
	 * attempt that was given up, in nanoseconds
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
			// A watch from version "" would start at an arbitrary state.
			return !this.last.isEmpty();
		}

	}

	/**
	 * Knowledge about the server's streaming lists.
	 *
	 * @param againAt the time from which streaming lists are requested again, in
	 * nanoseconds; {@code null} unless the server was found not to support them
	 * @param unopened the number of streaming lists in a row that failed to open
	 * @param interrupted the number of streaming lists in a row that ended before their
	 * marker
	 */
	record Streams(@Nullable Long againAt, int unopened, int interrupted) {

		static Streams initial() {
			return new Streams(null, 0, 0);
		}

		Streams unsupported(long until) {
			return new Streams(until, 0, 0);
		}

		Streams notOpened() {
			return new Streams(this.againAt, this.unopened + 1, this.interrupted);
		}

		Streams wereInterrupted() {
			return new Streams(this.againAt, this.unopened, this.interrupted + 1);
		}

		Streams stored() {
			return new Streams(this.againAt, 0, 0);
		}

		/**
		 * Returns whether the server may support streaming lists now.
		 * @param now the time, in nanoseconds
		 * @return {@code true} to try a streaming list
		 */
		boolean mayStream(long now) {
			Long again = this.againAt;
			return again == null || now - again >= 0;
		}

	}

	/**
	 * Knowledge about protobuf responses.
	 *
	 * @param malformedLists the number of lists since the last good one that were not
	 * valid protobuf
	 * @param avoidsProtobuf whether protobuf must not be requested for a while
	 */
	record Encoding(int malformedLists, boolean avoidsProtobuf) {

		static Encoding initial() {
			return new Encoding(0, false);
		}

		/**
		 * Returns the knowledge after a list that was not valid protobuf. The same list
		 * may be valid as JSON: a proxy that does not know protobuf may have damaged it.
		 * @param most the number of malformed lists after which protobuf is avoided
		 * @return the knowledge
		 */
		Encoding listMalformed(int most) {
			return new Encoding(this.malformedLists + 1, this.avoidsProtobuf || this.malformedLists + 1 >= most);
		}

		Encoding avoidingProtobuf() {
			return new Encoding(this.malformedLists, true);
		}

		/**
		 * Returns the knowledge after the connection was told to avoid protobuf. When
		 * protobuf is requested again, malformed lists are counted from zero.
		 * @return the knowledge
		 */
		Encoding protobufAvoided() {
			return initial();
		}

		Encoding stored() {
			return new Encoding(0, this.avoidsProtobuf);
		}

	}

	/**
	 * Failures and expired versions that determine the next wait.
	 *
	 * @param count the number of failures; 0 again once watches were open for long enough
	 * without a failure
	 * @param lived the total time for which watches were open since the last failure
	 * @param expirations the number of times that the version expired; 0 again once
	 * watches were open for long enough without that
	 * @param livedSinceExpiration the total time for which watches were open since the
	 * version last expired
	 */
	record Failures(int count, Duration lived, int expirations, Duration livedSinceExpiration) {

		static Failures none() {
			return new Failures(0, Duration.ZERO, 0, Duration.ZERO);
		}

		Failures failed() {
			return new Failures(this.count + 1, Duration.ZERO, this.expirations, this.livedSinceExpiration);
		}

		Failures expired() {
			return new Failures(this.count, this.lived, this.expirations + 1, Duration.ZERO);
		}

		/**
		 * Returns the failures that still count after an outage of the server.
		 * @return a copy that counts only the expired versions
		 */
		Failures forgiven() {
			return new Failures(0, this.lived, this.expirations, this.livedSinceExpiration);
		}

		/**
		 * Returns the failures that still count after a watch has ended. The times for
		 * which watches were open are added up, because in some networks every connection
		 * is cut after a minute.
		 * @param duration the time for which the watch was open
		 * @param reset the time with open watches after which the backoff is reset
		 * @return the failures
		 */
		Failures lived(Duration duration, Duration reset) {
			Duration since = this.lived.plus(duration);
			Duration sinceExpiration = this.livedSinceExpiration.plus(duration);
			return new Failures((since.compareTo(reset) >= 0) ? 0 : this.count, since,
					(sinceExpiration.compareTo(reset) >= 0) ? 0 : this.expirations, sinceExpiration);
		}

	}

}
