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

import dev.kubeinformer.internal.transport.Failure;
import dev.kubeinformer.internal.transport.Haste;
import dev.kubeinformer.types.Problem;

/**
 * Whether an API server is away for all who ask it, and who asks meanwhile. While all are
 * away, one of them asks after the other, and what one is answered is good for all.
 * <p>
 * A server that answers one and fails another is not away. Nor is one that denies, knows
 * nothing of what is asked for, or is asked too often. Outages that follow each other
 * soon are one: a server that answers a question and fails at the rush after it is asked
 * ever more rarely.
 * <p>
 * Pure: times are given in nanoseconds since any moment, and there are no threads. Not
 * safe for use by several threads.
 */
final class Outage {

	/** The longest wait between two questions, and how much of it is jitter. */
	private static final Duration STEADY = Duration.ofSeconds(4);

	private static final int JITTER_PART = 5;

	/**
	 * How long a question may go without an answer before another one is asked beside it:
	 * many times as long as an answer takes where nothing is wrong.
	 */
	private static final Duration BRISK = Duration.ofSeconds(3);

	/**
	 * How long a full state may go without an answer: a server may have to compose it
	 * first.
	 */
	private static final Duration COMPOSING = Duration.ofSeconds(20);

	/**
	 * Of how long it has been away, the part for which one who is alone waits for an
	 * answer: a server that is slow is not to be asked again and again for ever.
	 */
	private static final int PATIENT_PART = 8;

	/** How young a question is of which the answer is on its way. */
	private static final Duration YOUNG = Duration.ofSeconds(1);

	/** How many outages may follow each other before questions become rare. */
	private static final int RELAPSES = 3;

	/** How many times the longest wait a server may ask for. */
	private static final int MOST_ASKED = 10;

	private final ReflectorTimings timings;

	private final Supplier<RandomGenerator> random;

	private final Set<Party> parties = new LinkedHashSet<>();

	/** Those that wait to ask, in the order of their questions. */
	private final Deque<Party> waiting = new ArrayDeque<>();

	private boolean active;

	private long began;

	/** When the last outage ended that counts. */
	private long ended;

	/** How many outages count, until all has been well for a while. */
	private int outages;

	/** How often it was asked, until all has been well for a while. */
	private int asks;

	private long nextAsk;

	/** Whether the last failure was an answer. */
	private boolean answering;

	/**
	 * Whether the outage counts: a question failed or had to wait, where otherwise a
	 * connection was cut, and that was all.
	 */
	private boolean counts;

	/**
	 * Creates a state without parties.
	 * @param timings the base and the cap of waits, and how long all must be well
	 * @param random the source of jitter
	 */
	Outage(ReflectorTimings timings, Supplier<RandomGenerator> random) {
		this.timings = timings;
		this.random = random;
	}

	/**
	 * Adds one who asks.
	 * @return the party, of which nothing is known
	 */
	Party join() {
		Party party = new Party();
		this.parties.add(party);
		return party;
	}

	/**
	 * Removes one who asks no more.
	 * @param party the party
	 */
	void leave(Party party) {
		this.parties.remove(party);
		this.waiting.remove(party);
		endUnlessAway();
	}

	private void endUnlessAway() {
		if (this.active && this.parties.stream().noneMatch((each) -> each.away)) {
			over();
		}
	}

	private void over() {
		this.active = false;
		this.waiting.clear();
	}

	/**
	 * Notes that a question is asked.
	 * @param party who asks
	 * @param fullState whether it asks for a full state
	 * @param now the time
	 * @return how long it may go without an answer; {@code null} for as long as usual
	 */
	@Nullable Haste begins(Party party, boolean fullState, long now) {
		this.waiting.remove(party);
		party.asking = true;
		party.askedAt = now;
		party.patient = false;
		party.released = false;
		party.recalled = false;
		if (!this.active) {
			return null;
		}
		boolean fresh = this.answering && this.asks > 1;
		if (!this.waiting.isEmpty() && this.parties.stream().noneMatch((each) -> each.asking && each.patient)) {
			// Others ask beside it.
			party.patient = true;
			return fresh ? new Haste(null, null, true) : null;
		}
		boolean alone = this.waiting.isEmpty()
				&& this.parties.stream().noneMatch((each) -> each.asking && each != party);
		Duration grown = alone ? longer(BRISK, Duration.ofNanos((now - this.began) / PATIENT_PART)) : BRISK;
		return new Haste(grown, fullState ? longer(COMPOSING, grown) : grown, fresh);
	}

	private static Duration longer(Duration one, Duration other) {
		return (one.compareTo(other) > 0) ? one : other;
	}

	/**
	 * Notes an answer that is complete.
	 * @param party who asked
	 * @param now the time
	 * @return the outage that it ends; {@code null} if there is none
	 */
	@Nullable End answered(Party party, long now) {
		party.asking = false;
		party.away = false;
		party.open = false;
		return there(party, now);
	}

	/**
	 * Notes an answer that goes on.
	 * @param party who asked
	 * @param now the time
	 * @return the outage that it ends; {@code null} if there is none
	 */
	@Nullable End opened(Party party, long now) {
		End end = answered(party, now);
		party.open = true;
		return end;
	}

	/**
	 * Notes that an answer that went on has ended, for whatever reason that is no failure
	 * of the connection.
	 * @param party who asked
	 * @param now the time
	 */
	void closed(Party party, long now) {
		if (party.open) {
			party.open = false;
			party.answeredAt = now;
		}
	}

	private @Nullable End there(Party party, long now) {
		party.everAnswered = true;
		party.answeredAt = now;
		if (!this.active) {
			return null;
		}
		over();
		if (this.counts) {
			this.ended = now;
			this.outages++;
		}
		int sources = 1;
		List<Party> recalled = new ArrayList<>();
		for (Party each : this.parties) {
			if (each == party) {
				continue;
			}
			if (each.asking && now - each.askedAt > YOUNG.toNanos()) {
				each.recalled = true;
				recalled.add(each);
			}
			sources += each.away ? 1 : 0;
			each.released = each.away && (!each.asking || each.recalled);
			each.away = false;
		}
		return new End(Duration.ofNanos(now - this.began), sources, this.counts, recalled);
	}

	/**
	 * Notes a question, or an answer that went on, that failed.
	 * @param party who asked
	 * @param failure what went wrong
	 * @param now the time
	 * @return the outage that it ends; {@code null} if there is none
	 */
	@Nullable End failed(Party party, Failure failure, long now) {
		boolean asked = party.asking;
		party.asking = false;
		if (party.recalled) {
			// It was told to ask anew.
			return null;
		}
		return switch (sign(failure.problem())) {
			case THERE -> answered(party, now);
			case UNCLEAR -> {
				unclear(party, failure, now);
				yield null;
			}
			case AWAY -> {
				away(party, failure, asked, now);
				yield null;
			}
		};
	}

	private void unclear(Party party, Failure failure, long now) {
		party.open = false;
		party.away = false;
		if (this.active && failure.problem() == Problem.THROTTLED) {
			// One that is about to come back, and cannot serve all of them yet.
			putOff(failure, now);
		}
		endUnlessAway();
	}

	private void away(Party party, Failure failure, boolean asked, long now) {
		party.open = false;
		party.away = true;
		if (!this.active && this.parties.stream().noneMatch((each) -> each != party && isWitness(each, now))) {
			begin(now);
		}
		if (!this.active) {
			return;
		}
		this.counts |= asked;
		this.answering = failure.status() != null;
		putOff(failure, now);
		if (this.answering && asked) {
			// Work that was in vain is not asked for at once.
			long took = Math.min(now - party.askedAt, this.timings.backoffCap().toNanos());
			this.nextAsk = Math.max(this.nextAsk, now + took);
		}
	}

	private boolean isWitness(Party party, long now) {
		return party.open || (!party.away && party.everAnswered && now - party.answeredAt < BRISK.toNanos());
	}

	private void begin(long now) {
		this.active = true;
		this.began = now;
		this.counts = false;
		if (this.outages == 0 || now - this.ended > this.timings.backoffReset().toNanos()) {
			this.asks = 0;
			this.outages = 0;
		}
		this.nextAsk = now + delay(this.asks + 1);
	}

	private void putOff(Failure failure, long now) {
		long asked = Math.min(failure.retryAfter().toNanos(), this.timings.backoffCap().toNanos() * MOST_ASKED);
		if (asked > 0) {
			long jitter = this.random.get().nextLong(this.timings.backoffBase().toNanos());
			this.nextAsk = Math.max(this.nextAsk, now + asked + jitter);
		}
	}

	/**
	 * Returns whether one waits for the end of an outage, instead of for itself.
	 * @param party who waits
	 * @return whether it does
	 */
	boolean concerns(Party party) {
		return this.active && party.away;
	}

	/**
	 * Takes what is told to one who waits: that an outage is over.
	 * @param party who waits
	 * @return what it is told
	 */
	Release takeRelease(Party party) {
		if (!party.released && !party.recalled) {
			return Release.NONE;
		}
		party.released = false;
		party.recalled = false;
		return (this.outages <= RELAPSES) ? Release.FORGIVEN : Release.RELEASED;
	}

	/**
	 * Returns how long one must wait that waits for the end of an outage. If it is its
	 * turn, it has to ask.
	 * @param party who waits
	 * @param now the time
	 * @return how long; 0 if it has to ask, and {@link Long#MAX_VALUE} if others come
	 * first
	 */
	long untilTurn(Party party, long now) {
		if (!this.waiting.contains(party)) {
			this.waiting.addLast(party);
		}
		if (this.waiting.peekFirst() != party) {
			return Long.MAX_VALUE;
		}
		long earliest = this.nextAsk;
		for (Party each : this.parties) {
			if (each.asking) {
				earliest = Math.max(earliest, each.askedAt + BRISK.toNanos());
			}
		}
		if (earliest > now) {
			return earliest - now;
		}
		this.waiting.removeFirst();
		this.asks++;
		this.counts = true;
		this.nextAsk = now + delay(this.asks + 1);
		return 0;
	}

	/**
	 * Returns the wait before a question. The first is anywhere below the base, and waits
	 * grow from there, so that replicas are spread.
	 * @param number the number of the question, from 1
	 * @return the wait
	 */
	private long delay(int number) {
		RandomGenerator jitter = this.random.get();
		long cap = this.timings.backoffCap().toNanos();
		long steady = Math.min(cap, STEADY.toNanos() << Math.min(Math.max(0, this.outages - RELAPSES), 10));
		long jittered = steady - jitter.nextLong(Math.max(1, steady / JITTER_PART));
		return Math.min(jittered, Pause.backoff(number, Duration.ZERO).draw(this.timings, jitter).toNanos());
	}

	/**
	 * Returns the party whose turn is next.
	 * @return the party; {@code null} if none waits
	 */
	@Nullable Party next() {
		return this.waiting.peekFirst();
	}

	/**
	 * Returns whether all are away.
	 * @return whether they are
	 */
	boolean isActive() {
		return this.active;
	}

	/**
	 * Returns of what a failure is a sign.
	 * @param problem the problem
	 * @return the sign
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

	/**
	 * What a failure says of the server.
	 */
	enum Sign {

		/** It does not answer, or not for itself. */
		AWAY,

		/** It answers. */
		THERE,

		/** Neither. */
		UNCLEAR

	}

	/**
	 * What one who waits is told.
	 */
	enum Release {

		/** Nothing. */
		NONE,

		/** The outage is over. */
		RELEASED,

		/** The outage is over, and its failures do not count. */
		FORGIVEN

	}

	/**
	 * Outage that is over.
	 *
	 * @param duration how long it lasted
	 * @param sources how many were away
	 * @param counts whether a question failed or had to wait
	 * @param recalled those whose questions are too old to be answered
	 */
	record End(Duration duration, int sources, boolean counts, List<Party> recalled) {

	}

	/**
	 * One who asks.
	 */
	static final class Party {

		/** Whether the last that is known is that the server is away. */
		private boolean away;

		/** Whether an answer goes on. */
		private boolean open;

		private boolean everAnswered;

		private long answeredAt;

		private boolean asking;

		private long askedAt;

		/** Whether the question is waited for as long as usual. */
		private boolean patient;

		private boolean released;

		private boolean recalled;

	}

}
