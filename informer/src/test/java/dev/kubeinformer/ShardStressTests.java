package dev.kubeinformer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.shard.ShardWork;
import dev.kubeinformer.test.FaultProxy;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Members that come, go and are cut off at random.
 */
@Tag("slow")
class ShardStressTests {

	private static final int MEMBERS = 4;

	private final ShardRig rig = new ShardRig().hasty();

	private final List<FaultProxy> networks = new ArrayList<>();

	private final List<ShardMembership> members = new ArrayList<>();

	private final List<Ledger> ledgers = new ArrayList<>();

	@AfterEach
	void close() throws IOException {
		this.rig.close();
		for (FaultProxy network : this.networks) {
			network.close();
		}
	}

	@Test
	void noSlotHasTwoOwnersAndAllHaveOneAtTheEnd() throws IOException, InterruptedException {
		for (int i = 0; i < MEMBERS; i++) {
			FaultProxy network = FaultProxy.to("127.0.0.1", this.rig.api.port());
			this.networks.add(network);
			ShardMembership member = this.rig.member("pod-" + i, "http://127.0.0.1:" + network.port(), (spec) -> spec);
			Ledger ledger = new Ledger();
			member.register(ledger);
			this.ledgers.add(ledger);
			this.members.add(member);
			member.start();
		}
		ShardMembership[] all = this.members.toArray(ShardMembership[]::new);
		AtomicBoolean over = new AtomicBoolean();
		AtomicBoolean doubled = new AtomicBoolean();
		Thread witness = new Thread(() -> {
			while (!over.get()) {
				try {
					ShardRig.requireDisjoint(all);
				}
				catch (AssertionError ex) {
					doubled.set(true);
				}
				Thread.yield();
			}
		}, "witness");
		witness.setDaemon(true);
		witness.start();
		long seed = new Random().nextLong();
		Random random = new Random(seed);
		for (int i = 0; i < 12; i++) {
			disturb(random.nextInt(MEMBERS), random.nextInt(5));
			TimeUnit.MILLISECONDS.sleep(100 + random.nextInt(500));
		}
		this.networks.forEach(FaultProxy::thaw);
		this.members.forEach(ShardMembership::start);
		ShardRig.await().until(() -> {
			this.members.forEach(ShardMembership::start);
			return ShardRig.isBalanced(all);
		});
		over.set(true);
		witness.join();
		assertThat(doubled).as("two owners with seed " + seed).isFalse();
		for (int i = 0; i < MEMBERS; i++) {
			Ledger ledger = this.ledgers.get(i);
			Set<Integer> held = all[i].slots();
			ShardRig.await().until(() -> ledger.isExactly(held));
		}
	}

	private void disturb(int member, int kind) {
		switch (kind) {
			case 0 -> this.networks.get(member).freeze();
			case 1 -> this.networks.get(member).thaw();
			case 2 -> this.networks.get(member).resetConnections();
			case 3 -> {
				this.networks.get(member).thaw();
				this.members.get(member).stop();
			}
			default -> this.members.get(member).start();
		}
	}

	/**
	 * Slots as the calls of the work say.
	 */
	private static final class Ledger implements ShardWork {

		private final AtomicIntegerArray slots = new AtomicIntegerArray(ShardRig.SLOTS.total());

		@Override
		public void gained(Set<Integer> gained) {
			gained.forEach((slot) -> this.slots.incrementAndGet(slot));
		}

		@Override
		public boolean drain(Set<Integer> drained) {
			drained.forEach((slot) -> this.slots.decrementAndGet(slot));
			return true;
		}

		@Override
		public void lost(Set<Integer> lost) {
			lost.forEach((slot) -> this.slots.decrementAndGet(slot));
		}

		boolean isExactly(Set<Integer> held) {
			for (int slot = 0; slot < this.slots.length(); slot++) {
				if (this.slots.get(slot) != (held.contains(slot) ? 1 : 0)) {
					return false;
				}
			}
			return true;
		}

	}

}
