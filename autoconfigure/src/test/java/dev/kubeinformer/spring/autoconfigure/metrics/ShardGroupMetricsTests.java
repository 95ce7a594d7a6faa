package dev.kubeinformer.spring.autoconfigure.metrics;

import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.shard.ManualShards;
import dev.kubeinformer.shard.ShardMember;
import dev.kubeinformer.spring.shard.SlotHolders;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the meters of slots that move.
 */
class ShardGroupMetricsTests {

	private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2030-01-01T10:00:00Z"));

	private final ManualShards shards = ManualShards.of(4);

	private final InstantSource time = this.now::get;

	private final SlotHolders holders = new SlotHolders(this.shards, this.time.withZone(ZoneOffset.UTC));

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final ShardGroupMetrics metrics = new ShardGroupMetrics(() -> this.holders);

	ShardGroupMetricsTests() {
		this.shards.addListener(this.holders);
		this.metrics.bindTo(this.registry);
	}

	@Test
	void gaugesShouldShowTheDistribution() {
		this.shards.gain(0, 1, 2);
		this.shards.others(new ShardMember("other", Set.of(), false, false));
		assertThat(gauge("held")).isEqualTo(3);
		assertThat(gauge("members")).isEqualTo(2);
		assertThat(gauge("imbalance")).isEqualTo(3);
		assertThat(gauge("unheld")).isEqualTo(1);
		this.now.set(this.now.get().plusSeconds(7));
		assertThat(this.registry.get("kubernetes.shards.unheld.longest").timeGauge().value(TimeUnit.SECONDS))
			.isEqualTo(7);
		this.shards.others(new ShardMember("other", Set.of(3), false, false));
		assertThat(gauge("unheld")).isZero();
		assertThat(this.registry.get("kubernetes.shards.gap").timer().max(TimeUnit.SECONDS)).isEqualTo(7);
	}

	@Test
	void movesShouldBeCountedByReason() {
		this.shards.gain(0, 1, 2);
		this.shards.move(1);
		this.shards.lose();
		assertThat(this.registry.get("kubernetes.shards.gained").counter().count()).isEqualTo(3);
		assertThat(lost("moved")).isEqualTo(1);
		assertThat(lost("expired")).isEqualTo(2);
		assertThat(lost("stopped")).isZero();
	}

	@Test
	void closedContextShouldMeasureNothing() {
		this.metrics.destroy();
		assertThat(this.registry.getMeters()).isEmpty();
		this.shards.gain(0);
	}

	@Test
	void withoutMovingSlotsThereShouldBeNoMeters() {
		SimpleMeterRegistry other = new SimpleMeterRegistry();
		new ShardGroupMetrics(() -> null).bindTo(other);
		assertThat(other.getMeters()).extracting(Meter::getId).isEmpty();
	}

	private double gauge(String name) {
		return this.registry.get("kubernetes.shards." + name).gauge().value();
	}

	private double lost(String reason) {
		return this.registry.get("kubernetes.shards.lost").tag("reason", reason).counter().count();
	}

}
