package dev.kubeinformer.internal.membership;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.codec.json.LeaseDocument;
import dev.kubeinformer.internal.shards.MemberLease;
import dev.kubeinformer.internal.shards.MemberRecord;
import dev.kubeinformer.internal.shards.SlotSet;
import dev.kubeinformer.shard.ShardsSpec;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.Slots;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Names and contents of members' Leases.
 */
class MemberLeasesTests {

	private final MemberLeases leases = new MemberLeases(ShardsSpec.of("default", "app", new Slots(ShardKey.UID, 64)));

	@ParameterizedTest
	@CsvSource({ "app,pod-1,app-pod-1-", "app,app-7d4b-x2,app-7d4b-x2-",
			"My_App.v2,Host.Example.com,my-app-v2-host-example-com-",
			"app,http://10.0.0.1:8080/,app-http-10-0-0-1-8080-", "app,--,app-", "app,ä,app-" })
	void namesAreReadableAndValid(String group, String identity, String prefix) {
		String name = MemberLeases.newName(group, identity);
		assertThat(name).startsWith(prefix).matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
		assertThat(MemberLeases.newName(group, identity)).isNotEqualTo(name);
	}

	@Test
	void nameOfALongIdentityIsShort() {
		assertThat(MemberLeases.newName("a".repeat(63), "b".repeat(300))).hasSizeLessThanOrEqualTo(220)
			.matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
	}

	@Test
	void recordSurvivesTheLease() throws MalformedResponseException {
		MemberRecord record = new MemberRecord("pod-1", 15, Instant.parse("2026-01-02T03:04:05Z"), 64,
				SlotSet.parse("0-12,40"), SlotSet.parse("41"), true);
		LeaseDocument written = this.leases.write(this.leases.create("app-1"), record);
		String json = new String(written.write(), StandardCharsets.UTF_8);
		assertThat(json).contains("\"kubeinformer.dev/held\":\"0-12,40\"", "\"kubeinformer.dev/claimed\":\"41\"",
				"\"kubeinformer.dev/slots\":\"64 by uid\"", "\"kubeinformer.dev/leaving\":\"true\"",
				"\"kubeinformer.dev/shards\":\"app\"");
		MemberLease read = this.leases.read(stored(json));
		assertThat(read).isEqualTo(new MemberLease("app-1", "7", record));
		MemberRecord plain = new MemberRecord("pod-1", 15, record.renewTime(), 64, SlotSet.none(), SlotSet.none(),
				false);
		LeaseDocument rewritten = this.leases.write(stored(json), plain);
		assertThat(new String(rewritten.write(), StandardCharsets.UTF_8)).doesNotContain("held", "claimed", "leaving");
		assertThat(this.leases.read(rewritten).record()).isEqualTo(plain);
	}

	private static LeaseDocument stored(String json) throws MalformedResponseException {
		return LeaseDocument.read(json.replace("\"metadata\":{", "\"metadata\":{\"resourceVersion\":\"7\",")
			.getBytes(StandardCharsets.UTF_8));
	}

	@ParameterizedTest
	@CsvSource({ "64 by uid,64", "32 by uid,32", "64 by namespace,100064", "'',0", "64,0", "64 by name,0", "0 by uid,0",
			"x by uid,0", "8 by uid,0" })
	void divisionsDifferByNumberAndKey(String division, int slots) throws MalformedResponseException {
		LeaseDocument lease = stored("{\"metadata\":{\"name\":\"app-1\"},\"spec\":{}}")
			.withAnnotation(MemberLeases.DIVISION, division)
			.withAnnotation(MemberLeases.HELD, "9");
		assertThat(this.leases.read(lease).record().slots()).isEqualTo(slots);
		assertThat(MemberLeases.isOwnKey(slots)).isEqualTo(slots == 64 || slots == 32);
	}

	@Test
	void membersOfDifferentKeysAgreeOnTheirOrder() throws MalformedResponseException {
		MemberLeases other = new MemberLeases(ShardsSpec.of("default", "app", new Slots(ShardKey.NAMESPACE, 64)));
		LeaseDocument lease = stored("{\"metadata\":{\"name\":\"app-1\"},\"spec\":{}}")
			.withAnnotation(MemberLeases.DIVISION, "64 by uid");
		assertThat(other.read(lease).record().slots()).isEqualTo(-64);
	}

	@Test
	void unreadableSlotsAreNotGuessed() throws MalformedResponseException {
		LeaseDocument lease = stored("{\"metadata\":{\"name\":\"app-1\"},\"spec\":{}}")
			.withAnnotation(MemberLeases.DIVISION, "64 by uid");
		assertThat(this.leases.read(lease.withAnnotation(MemberLeases.HELD, "all")).record().slots()).isZero();
		assertThat(this.leases.read(lease.withAnnotation(MemberLeases.HELD, "64")).record().slots()).isZero();
		assertThat(this.leases.read(lease.withAnnotation(MemberLeases.CLAIMED, "0-63")).record().slots()).isEqualTo(64);
	}

}
