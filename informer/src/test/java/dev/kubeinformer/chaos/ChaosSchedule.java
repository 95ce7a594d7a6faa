package dev.kubeinformer.chaos;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import dev.kubeinformer.ClusterSupport;
import dev.kubeinformer.HandlerRegistration;
import dev.kubeinformer.test.FaultProxy;

/**
 * Faults one after the other, in an order that a seed repeats: each comes once before any
 * comes again.
 */
final class ChaosSchedule {

	private final Random random;

	private final FaultProxy network;

	private final List<Cohort> cohorts;

	private final List<Station<?>> stations;

	private final Station<?> namespaced;

	private final List<String> namespaces;

	private final Deque<Fault> deck = new ArrayDeque<>();

	private final Map<Fault, Integer> done = new TreeMap<>();

	ChaosSchedule(Random random, FaultProxy network, List<Cohort> cohorts, Station<?> namespaced,
			List<String> namespaces) {
		this.random = random;
		this.network = network;
		this.cohorts = cohorts;
		this.stations = cohorts.stream().<Station<?>>flatMap((cohort) -> cohort.stations().stream()).toList();
		this.namespaced = namespaced;
		this.namespaces = namespaces;
	}

	/**
	 * Does the next fault, and ends it if it lasts a while.
	 * @return what it was
	 */
	String next() throws Exception {
		if (this.deck.isEmpty()) {
			List<Fault> faults = new ArrayList<>(List.of(Fault.values()));
			Collections.shuffle(faults, this.random);
			this.deck.addAll(faults);
		}
		Fault fault = this.deck.remove();
		this.done.merge(fault, 1, Integer::sum);
		Duration length = Duration.ofMillis(200 + this.random.nextInt(3000));
		String done = fault + act(fault, length);
		TimeUnit.MILLISECONDS.sleep(this.random.nextInt(1500));
		return done;
	}

	private String act(Fault fault, Duration length) throws Exception {
		switch (fault) {
			case CUT -> {
				this.network.cut();
				return until(length);
			}
			case DROP -> this.network.dropConnections();
			case RESET -> this.network.resetConnections();
			case HALF_CLOSE -> this.network.halfCloseConnections();
			case SWALLOW, SWALLOW_AGAIN -> this.network.swallow();
			case REFUSE -> {
				this.network.refuse();
				this.network.dropConnections();
				return until(length);
			}
			case HANG, HANG_AGAIN -> {
				this.network.hang();
				this.network.resetConnections();
				return until(length);
			}
			case FREEZE -> {
				this.network.freeze();
				return until(length);
			}
			case THROTTLE -> {
				int rate = 500 + this.random.nextInt(20_000);
				this.network.throttle(rate);
				if (this.random.nextBoolean()) {
					this.network.dropConnections();
				}
				return " to " + rate + until(length);
			}
			case COMPACT -> ClusterSupport.compact();
			case COMPACT_WHILE_CUT -> {
				this.network.cut();
				TimeUnit.NANOSECONDS.sleep(length.toNanos());
				ClusterSupport.compact();
				return until(length);
			}
			case KILL -> ClusterSupport.restart();
			case KILL_WHILE_CUT -> {
				this.network.cut();
				ClusterSupport.restart();
				return until(length);
			}
			case NAMESPACE, NAMESPACE_AGAIN -> {
				return " " + this.namespaced.toggle(one(this.namespaces));
			}
			case NAMESPACE_AND_BACK -> {
				String namespace = one(this.namespaces);
				return " " + this.namespaced.toggle(namespace) + ", " + this.namespaced.toggle(namespace);
			}
			case LATE_HANDLER, LATE_HANDLER_AGAIN -> {
				Station<?> station = one(this.stations);
				station.addLate(this.random.nextBoolean() ? Temper.fast() : Temper.slow(Duration.ofMillis(20)));
				return " of " + station;
			}
			case REMOVE_HANDLER -> {
				Station<?> station = one(this.stations);
				return station.removeLate() ? " of " + station : " of nobody";
			}
			case PAUSE_HANDLER -> {
				HandlerRegistration registration = one(one(this.stations).registrations());
				registration.pause();
				TimeUnit.NANOSECONDS.sleep(length.toNanos());
				registration.resume();
				return " " + registration.id() + " for " + length.toMillis() + " ms";
			}
			case RESYNC -> one(one(this.stations).registrations()).resync();
			case STOP_AND_START -> {
				Cohort cohort = one(this.cohorts);
				cohort.stop();
				cohort.start();
				return " " + cohort;
			}
		}
		return "";
	}

	private String until(Duration length) throws InterruptedException {
		TimeUnit.NANOSECONDS.sleep(length.toNanos());
		end();
		return " for " + length.toMillis() + " ms";
	}

	private <E> E one(List<E> some) {
		return some.get(this.random.nextInt(some.size()));
	}

	/**
	 * Ends the faults of the network. Connections that it has damaged stay so.
	 */
	private void end() {
		this.network.restore();
		this.network.thaw();
		this.network.unthrottle();
	}

	/**
	 * How often each fault was done.
	 * @return the numbers
	 */
	Map<Fault, Integer> done() {
		return this.done;
	}

	/**
	 * What may go wrong, or change while everything goes on.
	 */
	enum Fault {

		/** Connections are closed, also new ones. */
		CUT,

		/** Connections are closed. */
		DROP,

		/** Connections are reset. */
		RESET,

		/** The stream of the server ends. */
		HALF_CLOSE,

		/** All bytes of the open connections vanish, for ever. */
		SWALLOW, SWALLOW_AGAIN,

		/** Connections are refused. */
		REFUSE,

		/** Connections are accepted and never answered. */
		HANG, HANG_AGAIN,

		/** No byte passes. */
		FREEZE,

		/** Bytes pass slowly. */
		THROTTLE,

		/** The server forgets old versions. */
		COMPACT, COMPACT_WHILE_CUT,

		/** The server is killed, and started again. */
		KILL, KILL_WHILE_CUT,

		/** A namespace is cached more, or no longer. */
		NAMESPACE, NAMESPACE_AGAIN, NAMESPACE_AND_BACK,

		/** A handler comes while the informer runs. */
		LATE_HANDLER, LATE_HANDLER_AGAIN,

		/** One that came late goes. */
		REMOVE_HANDLER,

		/** Delivery to a handler is held back. */
		PAUSE_HANDLER,

		/** All objects are delivered to a handler again. */
		RESYNC,

		/** Some informers are stopped and started. */
		STOP_AND_START

	}

}
