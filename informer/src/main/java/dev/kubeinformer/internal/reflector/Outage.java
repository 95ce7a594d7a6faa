package dev.kubeinformer.internal.reflector;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.transport.Haste;
import dev.kubeinformer.types.Problem;

/**
 * Decides when the API server is unavailable to all sources of a client, which source
 * probes it meanwhile, and when. A source is a reflector. To probe the server, a source
 * sends its next request, of any kind. The first response to any source ends the outage
 * for all.
 * <p>
 * If requests of one source succeed while requests of another fail, the server is not
 * unavailable. A server that denies a request, does not know a resource, or throttles
 * requests is not unavailable either. But while it throttles probes, an outage is not
 * over. Outages that follow each other within the reset time of the backoff count as one:
 * a server that responds to a probe and fails under the load that follows is probed less
 * and less often.
 * <p>
 * Pure: times are parameters, in nanoseconds since an arbitrary origin, and there are no
 * threads. Not safe for use by several threads.
 */
final class Outage {

	/** Longest interval between two probes. */
	private static final Duration INTERVAL = Duration.ofMillis(3500);

	/** Jitter shortens the interval by up to the interval divided by this. */
	private static final int JITTER_PART = 5;

	/**
	 * Time without a response after which the next source probes, too; a multiple of the
	 * time that a healthy server needs.
	 */
	private static final Duration BRISK = Duration.ofSeconds(3);

	/**
	 * Shortest deadline for the response to a list request, because the server may have
	 * to compose the list first.
	 */
	private static final Duration COMPOSING = Duration.ofSeconds(20);

	/**
	 * A single source waits for a response for the duration of the outage divided by
	 * this. Without this wait, a server that always needs longer than {@link #BRISK}
	 * would never be reached again.
	 */
	private static final int PATIENT_PART = 2;

	/**
	 * A single source waits for a connection for the duration of the outage divided by
	 * this. This wait is shorter than that for a response, because even a slow server
	 * accepts connections quickly. A connection that hangs shows a network problem, and
	 * its end should be noticed soon.
	 */
	private static final int CONNECTING_PART = 8;

	/**
	 * When an outage ends, a source that had lost the server cancels and repeats its
	 * request if the request is older than this. Any other source does so only if its
	 * request is older than {@link #COMPOSING}, because a healthy server may need that
	 * long to compose a list.
	 */
	private static final Duration YOUNG = Duration.ofSeconds(1);

	/** Number of outages in a row after which the interval doubles. */
	private static final int RELAPSES = 3;

	/** Longest accepted {@code Retry-After}, as a multiple of the longest backoff. */
	private static final int MOST_ASKED = 10;

	private final ReflectorTimings timings;

	private final Supplier<RandomGenerator> random;

	private final Set<Source> sources = new LinkedHashSet<>();

	/** Sources that wait for their turn to probe, longest wait first. */
	private final Deque<Source> waiting = new ArrayDeque<>();

	private boolean active;

	/** Time at which the present outage began. */
	private long began;

	/** Time at which the last outage ended in which a request failed or had to wait. */
	private long ended;

	/**
	 * Number of outages since the last quiet period in which a request failed or had to
	 * wait.
	 */
	private int outages;

	/** Number of probes since the last quiet period. */
	private int probes;

	private long nextProbe;

	/** Whether the most recent failure was an HTTP response. */
	private boolean answering;

	/**
	 * Whether a request failed or had to wait in this outage. Otherwise connections were
	 * only cut and opened again, and the outage does not count.
	 */
	private boolean counts;

	/**
	 * Whether a request failed in a way that shows an unavailable server. A cut
	 * connection does not show that: a server that has cut all connections may be
	 * available but slow, because all clients return at once. Cancelling and repeating
	 * requests would slow it further.
	 */
	private boolean missed;

	/** Number of probes that were throttled since the present outage began. */
	private int throttles;

	/**
	 * Creates an instance without sources.
	 * @param timings the bounds of the backoff, and the quiet period that resets it
	 * @param random the source of jitter
	 */
	Outage(ReflectorTimings timings, Supplier<RandomGenerator> random) {
		this.timings = timings;
		this.random = random;
	}

	/**
	 * Adds a source.
	 * @return the source, whose state is unknown
	 */
	Source join() {
		Source source = new Source();
		this.sources.add(source);
		return source;
	}

	/**
	 * Removes a source.
	 * @param source the source
	 */
	void leave(Source source) {
		this.sources.remove(source);
		this.waiting.remove(source);
		endUnlessAway();
	}

	private void endUnlessAway() {
		if (this.active && this.sources.stream().noneMatch((each) -> each.away)) {
			over();
		}
	}

	private void over() {
		this.active = false;
		this.waiting.clear();
	}

	/**
	 * Notes that a source sends a request.
	 * @param source the source
	 * @param fullState whether the request is for a full state
	 * @param now the time
	 * @return the deadlines of the request; {@code null} for the usual ones
	 */
	@Nullable Haste begins(Source source, boolean fullState, long now) {
		this.waiting.remove(source);
		source.requesting = true;
		source.requestedAt = now;
		source.patient = false;
		source.released = false;
		source.recalled = false;
		if (!this.active) {
			return null;
		}
		// Existing connections may lead to a server that does not recover.
		boolean fresh = this.answering && this.probes > 1;
		if (!this.waiting.isEmpty() && this.sources.stream().noneMatch((each) -> each.requesting && each.patient)) {
			// Other sources probe if this request hangs, so it keeps the usual deadlines.
			source.patient = true;
			return fresh ? new Haste(null, null, true) : null;
		}
		if (!this.missed) {
			return new Haste(BRISK, null, fresh);
		}
		boolean alone = this.waiting.isEmpty()
				&& this.sources.stream().noneMatch((each) -> each.requesting && each != source);
		Duration age = alone ? Duration.ofNanos(now - this.began) : Duration.ZERO;
		Duration answer = longer(BRISK, age.dividedBy(PATIENT_PART));
		return new Haste(longer(BRISK, age.dividedBy(CONNECTING_PART)), fullState ? longer(COMPOSING, answer) : answer,
				fresh);
	}

	private static Duration longer(Duration one, Duration other) {
		return (one.compareTo(other) > 0) ? one : other;
	}

	/**
	 * Notes that a request got a complete response.
	 * @param source the source
	 * @param now the time
	 * @return the outage that the response ends; {@code null} if there is none
	 */
	@Nullable End answered(Source source, long now) {
		source.requesting = false;
		source.probing = false;
		source.away = false;
		source.open = false;
		source.everAnswered = true;
		source.answeredAt = now;
		return this.active ? end(source, now) : null;
	}

	/**
	 * Notes that a watch was opened.
	 * @param source the source
	 * @param now the time
	 * @return the outage that the response ends; {@code null} if there is none
	 */
	@Nullable End opened(Source source, long now) {
		End end = answered(source, now);
		source.open = true;
		return end;
	}

	/**
	 * Notes that a source no longer has a request or a watch, for any reason. One reason
	 * is an error in this process, which was noted neither as a response nor as a
	 * failure.
	 * @param source the source
	 * @param now the time
	 */
	void closed(Source source, long now) {
		source.requesting = false;
		source.probing = false;
		if (source.open) {
			source.open = false;
			source.answeredAt = now;
		}
	}

	private End end(Source answered, long now) {
		over();
		if (this.counts) {
			this.ended = now;
			this.outages++;
		}
		int away = 1;
		List<Source> recalled = new ArrayList<>();
		for (Source each : this.sources) {
			if (each == answered) {
				continue;
			}
			Duration young = each.away ? YOUNG : COMPOSING;
			if (each.requesting && now - each.requestedAt > young.toNanos()) {
				each.recalled = true;
				recalled.add(each);
			}
			away += each.away ? 1 : 0;
			each.released = each.away && (!each.requesting || each.recalled);
			each.away = false;
		}
		return new End(Duration.ofNanos(now - this.began), away, this.counts, recalled);
	}

	/**
	 * Notes that a request failed, or that the connection of a watch broke.
	 * @param source the source
	 * @param failure the failure
	 * @param now the time
	 * @return the outage that the failure ends, because it shows that the server
	 * responds; {@code null} if there is none
	 */
	@Nullable End failed(Source source, Failure failure, long now) {
		if (!this.sources.contains(source)) {
			// The source was stopped. That aborted its request or watch, which says
			// nothing about the server.
			return null;
		}
		boolean requested = source.requesting;
		source.requesting = false;
		if (source.recalled) {
			// The end of the outage cancelled the request.
			return null;
		}
		return switch (sign(failure.problem())) {
			case THERE -> answered(source, now);
			case UNCLEAR -> {
				unclear(source, failure, now);
				yield null;
			}
			case AWAY -> {
				away(source, failure, requested, now);
				yield null;
			}
		};
	}

	private void unclear(Source source, Failure failure, long now) {
		boolean throttled = this.active && failure.problem() == Problem.THROTTLED;
		source.open = false;
		source.away = throttled && source.away && (source.probing || isLastAway(source));
		if (throttled) {
			throttled(source, failure, now);
		}
		source.probing = false;
		endUnlessAway();
	}

	private boolean isLastAway(Source source) {
		return this.sources.stream().noneMatch((each) -> each != source && each.away);
	}

	/**
	 * Postpones the next probe. The server starts to respond but cannot serve all sources
	 * yet. The outage must not end now, because that would release all of them.
	 * @param source the source that is throttled
	 * @param failure the server's response
	 * @param now the time
	 */
	private void throttled(Source source, Failure failure, long now) {
		this.throttles += source.probing ? 1 : 0;
		Pause pause = Pause.backoff(this.throttles, failure.retryAfter());
		this.nextProbe = Math.max(this.nextProbe, now + pause.draw(this.timings, this.random.get()).toNanos());
	}

	private void away(Source source, Failure failure, boolean requested, long now) {
		source.open = false;
		source.away = true;
		// A connection that this process closed says nothing about the server.
		if (!this.active && !failure.isClosedHere()
				&& this.sources.stream().noneMatch((each) -> each != source && isWitness(each, now))) {
			begin(now);
		}
		if (!this.active) {
			return;
		}
		this.counts |= requested;
		this.missed |= requested && failure.problem() != Problem.IO;
		this.answering = failure.status() != null;
		long took = now - source.requestedAt;
		if (source.probing && took < BRISK.toNanos()) {
			// The wait begins when the request ends, unless it hung.
			this.nextProbe += took;
		}
		source.probing = false;
		putOff(failure, now);
		if (this.answering && requested) {
			// Delay the next probe: the server may have worked on the request for a
			// minute before it failed.
			this.nextProbe = Math.max(this.nextProbe, now + Math.min(took, this.timings.backoffCap().toNanos()));
		}
	}

	/**
	 * Returns whether a source proves that the server is responding.
	 * @param source the source
	 * @param now the time
	 * @return {@code true} if the source has a watch, or got a response a moment ago
	 */
	private static boolean isWitness(Source source, long now) {
		return source.open || (!source.away && source.everAnswered && now - source.answeredAt < BRISK.toNanos());
	}

	private void begin(long now) {
		this.active = true;
		this.began = now;
		this.counts = false;
		this.missed = false;
		this.throttles = 0;
		if (this.outages == 0 || now - this.ended > this.timings.backoffReset().toNanos()) {
			this.probes = 0;
			this.outages = 0;
		}
		this.nextProbe = now + delay(this.probes + 1);
	}

	private void putOff(Failure failure, long now) {
		long asked = Math.min(failure.retryAfter().toNanos(), this.timings.backoffCap().toNanos() * MOST_ASKED);
		if (asked > 0) {
			long jitter = this.random.get().nextLong(this.timings.backoffBase().toNanos());
			this.nextProbe = Math.max(this.nextProbe, now + asked + jitter);
		}
	}

	/**
	 * Returns whether a source waits for the end of the outage instead of its own
	 * backoff.
	 * @param source the source
	 * @return {@code true} if all sources have lost the server, and this one has, too
	 */
	boolean concerns(Source source) {
		return this.active && source.away;
	}

	/**
	 * Returns whether and how an outage has ended for a source. Each end is reported to
	 * the source once.
	 * @param source the waiting source
	 * @return the kind of end
	 */
	Release takeRelease(Source source) {
		if (!source.released && !source.recalled) {
			return Release.NONE;
		}
		source.released = false;
		source.recalled = false;
		return (this.outages <= RELAPSES) ? Release.FORGIVEN : Release.RELEASED;
	}

	/**
	 * Returns the remaining wait of a source whose next request an outage
	 * {@link #concerns delays}.
	 * @param source the source
	 * @param now the time
	 * @return the wait; 0 if the source must probe now, {@link Long#MAX_VALUE} if other
	 * sources probe first
	 */
	long untilTurn(Source source, long now) {
		if (!this.waiting.contains(source)) {
			this.waiting.addLast(source);
		}
		if (this.waiting.peekFirst() != source) {
			return Long.MAX_VALUE;
		}
		long earliest = this.nextProbe;
		for (Source each : this.sources) {
			if (each.requesting) {
				earliest = Math.max(earliest, each.requestedAt + BRISK.toNanos());
			}
		}
		if (earliest > now) {
			return earliest - now;
		}
		this.waiting.removeFirst();
		source.probing = true;
		this.probes++;
		this.counts = true;
		this.nextProbe = now + delay(this.probes + 1);
		return 0;
	}

	/**
	 * Returns the wait before a probe. It grows with random jitter like the backoff of a
	 * reflector, up to {@link #INTERVAL}. So replicas that have lost the server at the
	 * same time spread their probes.
	 * @param number the number of the probe, from 1
	 * @return the wait
	 */
	private long delay(int number) {
		RandomGenerator jitter = this.random.get();
		long cap = this.timings.backoffCap().toNanos();
		long interval = Math.min(cap, INTERVAL.toNanos() << Math.min(Math.max(0, this.outages - RELAPSES), 10));
		long jittered = interval - jitter.nextLong(Math.max(1, interval / JITTER_PART));
		return Math.min(jittered, Pause.backoff(number, Duration.ZERO).draw(this.timings, jitter).toNanos());
	}

	/**
	 * Returns the source whose turn is next.
	 * @return the source; {@code null} if none waits
	 */
	@Nullable Source next() {
		return this.waiting.peekFirst();
	}

	/**
	 * Returns whether there is an outage.
	 * @return {@code true} if all sources have lost the server
	 */
	boolean isActive() {
		return this.active;
	}

	/**
	 * Returns the conclusion about the server that a failure allows.
	 * @param problem the problem
	 * @return the conclusion
	 */
	static Sign sign(Problem problem) {
		return switch (problem) {
			case SERVER_ERROR, TIMEOUT, UNAVAILABLE, REFUSED_CONNECTION, IO, SILENT -> Sign.AWAY;
			case EXPIRED, TOO_LARGE, INVALID_VERSION, BAD_REQUEST, UNAUTHORIZED, FORBIDDEN, NOT_FOUND, UNSUPPORTED,
					CONFLICT, ALREADY_EXISTS, INVALID, REJECTED, NOT_IMPLEMENTED ->
				Sign.THERE;
			case THROTTLED, FLOODED, MALFORMED, MALFORMED_PROTOBUF, INTERNAL -> Sign.UNCLEAR;
		};
	}

	/** Conclusion about the server that a failure allows. */
	enum Sign {

		/** The server does not respond, or its response shows an internal failure. */
		AWAY,

		/** The server responds. */
		THERE,

		/** The failure shows neither. */
		UNCLEAR

	}

	/** Way in which an outage has ended for a waiting source. */
	enum Release {

		/** No outage has ended. */
		NONE,

		/** The source continues at once. */
		RELEASED,

		/**
		 * The source continues at once, and its earlier failures do not count any more.
		 */
		FORGIVEN

	}

	/**
	 * Ended outage.
	 *
	 * @param duration the duration of the outage
	 * @param sources the number of sources that had lost the server
	 * @param counts whether a request failed or had to wait
	 * @param recalled the sources whose requests must be cancelled and repeated, because
	 * the requests were sent to the unavailable server
	 */
	record End(Duration duration, int sources, boolean counts, List<Source> recalled) {

	}

	/** State of a source. */
	static final class Source {

		/** Whether the last request or watch failed because the server is unavailable. */
		private boolean away;

		/** Whether a watch is open. */
		private boolean open;

		private boolean everAnswered;

		/** Time of the last sign that the server is responding. */
		private long answeredAt;

		/** Whether a request waits for its response. */
		private boolean requesting;

		private long requestedAt;

		/** Whether it is the source's turn to probe. */
		private boolean probing;

		/** Whether the request has the usual deadlines. */
		private boolean patient;

		/** Whether an outage has ended and the source has not been told yet. */
		private boolean released;

		/** Whether the end of an outage has cancelled the request. */
		private boolean recalled;

	}

}
