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
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.kubeinformer.ClusterSupport;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.test.FaultProxy;

import static org.awaitility.Awaitility.await;

/**
 * Faults one after the other, in an order that a seed repeats: each comes once before any
 * comes again.
 */
final class ChaosSchedule {

	/** Another replica waits for a Lease to expire, and a machine may be slow. */
	private static final Duration PATIENCE = Replica.LEASE_DURATION.plusSeconds(60);

	private final Random random;

	/** Network of the informers, and those of the replicas. */
	private final List<FaultProxy> networks;

	private final Application application;

	private final List<Cohort> cohorts;

	private final List<Station<?>> stations;

	private final Station<?> namespaced;

	private final List<String> namespaces;

	private final Deque<Fault> deck = new ArrayDeque<>();

	private final Map<Fault, Integer> done = new TreeMap<>();

	ChaosSchedule(Random random, FaultProxy network, Application application, List<Cohort> cohorts,
			Station<?> namespaced, List<String> namespaces) {
		this.random = random;
		this.networks = Stream.concat(Stream.of(network), application.replicas().stream().map(Replica::network))
			.toList();
		this.application = application;
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
				some().forEach(FaultProxy::cut);
				return until(length);
			}
			case DROP -> some().forEach(FaultProxy::dropConnections);
			case RESET -> some().forEach(FaultProxy::resetConnections);
			case HALF_CLOSE -> some().forEach(FaultProxy::halfCloseConnections);
			case SWALLOW, SWALLOW_AGAIN -> some().forEach(FaultProxy::swallow);
			case REFUSE -> {
				some().forEach((network) -> {
					network.refuse();
					network.dropConnections();
				});
				return until(length);
			}
			case HANG, HANG_AGAIN -> {
				some().forEach((network) -> {
					network.hang();
					network.resetConnections();
				});
				return until(length);
			}
			case FREEZE -> {
				some().forEach(FaultProxy::freeze);
				return until(length);
			}
			case THROTTLE -> {
				int rate = 500 + this.random.nextInt(20_000);
				boolean drop = this.random.nextBoolean();
				some().forEach((network) -> {
					network.throttle(rate);
					if (drop) {
						network.dropConnections();
					}
				});
				return " to " + rate + until(length);
			}
			case COMPACT -> ClusterSupport.compact();
			case COMPACT_WHILE_CUT -> {
				some().forEach(FaultProxy::cut);
				TimeUnit.NANOSECONDS.sleep(length.toNanos());
				ClusterSupport.compact();
				return until(length);
			}
			case KILL -> ClusterSupport.restart();
			case KILL_WHILE_CUT -> {
				some().forEach(FaultProxy::cut);
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
			case YIELD -> {
				return ofLeader((leader) -> leader.elector().yield());
			}
			case STOP_LEADER -> {
				return ofLeader((leader) -> {
					leader.stop();
					leader.start();
				});
			}
			case STOP_REPLICA -> {
				Replica replica = one(this.application.replicas());
				replica.stop();
				replica.start();
				return " " + replica;
			}
			case FREEZE_LEADER -> {
				return ofLeader((leader) -> untilAnotherLeads(leader, FaultProxy::freeze));
			}
			case SWALLOW_LEADER -> {
				return ofLeader((leader) -> untilAnotherLeads(leader, (network) -> {
					network.swallow();
					network.hang();
				}));
			}
		}
		return "";
	}

	/** The informers' network, and those of some replicas. */
	private List<FaultProxy> some() {
		return this.networks.stream()
			.filter((network) -> network == this.networks.get(0) || this.random.nextBoolean())
			.toList();
	}

	private String ofLeader(Consumer<Replica> fault) {
		Replica leader = this.application.leader();
		if (leader == null) {
			return " of nobody";
		}
		fault.accept(leader);
		return " " + leader;
	}

	private void untilAnotherLeads(Replica leader, Consumer<FaultProxy> fault) {
		fault.accept(leader.network());
		try {
			await().atMost(PATIENCE).until(() -> {
				Replica next = this.application.leader();
				return next != null && next != leader;
			});
		}
		finally {
			end();
		}
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
		for (FaultProxy network : this.networks) {
			network.restore();
			network.thaw();
			network.unthrottle();
		}
	}

	/**
	 * Returns the number of times that each fault was injected.
	 * @return the numbers
	 */
	Map<Fault, Integer> done() {
		return this.done;
	}

	/** Faults, and changes while everything is running. */
	enum Fault {

		/** Connections are closed, also new ones. */
		CUT,

		/** Connections are closed. */
		DROP,

		/** Connections are reset. */
		RESET,

		/** The stream of the server ends. */
		HALF_CLOSE,

		/** All bytes of the open connections are lost permanently. */
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
		STOP_AND_START,

		/** The leader lets another replica lead. */
		YIELD,

		/** The leader, or any replica, is stopped and started. */
		STOP_LEADER, STOP_REPLICA,

		/** The leader is cut off until another replica leads. */
		FREEZE_LEADER, SWALLOW_LEADER

	}

}
