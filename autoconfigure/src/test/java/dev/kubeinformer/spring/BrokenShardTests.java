package dev.kubeinformer.spring;

import java.util.ArrayList;
import java.util.List;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests of the messages about invalid shards. */
@ExtendWith(OutputCaptureExtension.class)
class BrokenShardTests {

	private static final String PREFIX = "--kubernetes.informers.shard.";

	private static final String STOPPED = "--kubernetes.informers.auto-startup=false";

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-", quoteCharacter = '"', value = {
			"uid | 5 | 5 | 'kubernetes.informers.shard.index' is '5', which is not one of the 5 shards of 'kubernetes.informers.shard.total'",
			"uid | -1 | 5 | 'kubernetes.informers.shard.index' is '-1', which is not one of the 5 shards of 'kubernetes.informers.shard.total'",
			"uid | ${POD_INDEX:} | 5 | 'kubernetes.informers.shard.index' is '${POD_INDEX:}', which resolves to an empty value",
			"uid | - | 5 | 'kubernetes.informers.shard.index' is missing, while related properties are set" })
	void indexThatIsNone(String key, String index, String total, String description, CapturedOutput output) {
		BrokenApplication report = start(output, key, index, total);
		assertThat(report.description()).isEqualTo(description);
		assertThat(report.action())
			.startsWith("Set it to the index of this replica, from 0 to 4, another one for each.")
			.contains("'apps.kubernetes.io/pod-index'", "KUBERNETES_INFORMERS_SHARD_INDEX", "downward API");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', value = {
			"${POD_INDEX} | 5 | 'kubernetes.informers.shard.index' is '${POD_INDEX}', which is not a number when it is resolved | from 0 on",
			"web-3 | 5 | 'kubernetes.informers.shard.index' is 'web-3', which is not a number | 'apps.kubernetes.io/pod-index'",
			"3 | all | 'kubernetes.informers.shard.total' is 'all', which is not a number | the number of replicas" })
	void textThatIsNoNumber(String index, String total, String description, String action, CapturedOutput output) {
		BrokenApplication report = start(output, "uid", index, total);
		assertThat(report.description()).isEqualTo(description);
		assertThat(report.action()).contains(action);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', value = {
			"uid | 'kubernetes.informers.resources.nodes.shard-key' is 'none' | --kubernetes.informers.resources.nodes.shard-key=none",
			"namespace | 'nodes' are in no namespace to be shared by | --other=1" })
	void shareOfWhatIsNotShared(String key, String contradiction, String argument, CapturedOutput output) {
		BrokenApplication report = BrokenApplication.start(output, ShardedNodes.class, PREFIX + "key=" + key,
				PREFIX + "index=0", PREFIX + "total=5", STOPPED, argument);
		assertThat(report.description())
			.isEqualTo("@InformerHandler bean 'nodes' (%s) has 'sharded' set to 'true', but %s"
				.formatted(NodeHandler.class.getName(), contradiction));
		assertThat(report.action())
			.startsWith("Set 'kubernetes.informers.resources.nodes.shard-key' to 'uid', or leave 'sharded' out");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-", value = {
			"- | 0 | 5 | key' is missing, while related properties are set | Set it to 'uid' for even shares, or to 'namespace'",
			"uid | 0 | - | total' is missing, while related properties are set | Set it to the number of replicas",
			"uid | 0 | 0 | total' is '0', and there must be at least 1 shard | Set it to the number of replicas" })
	void keyOrTotalThatIsNone(String key, String index, String total, String problem, String action,
			CapturedOutput output) {
		BrokenApplication report = start(output, key, index, total);
		assertThat(report.description()).isEqualTo("'kubernetes.informers.shard." + problem);
		assertThat(report.action()).startsWith(action);
	}

	@Test
	void namespaceOfWhatIsInNone(CapturedOutput output) {
		BrokenApplication report = BrokenApplication.start(output, Nodes.class, PREFIX + "key=uid", PREFIX + "index=0",
				PREFIX + "total=5", STOPPED, "--kubernetes.informers.resources.nodes.shard-key=namespace");
		assertThat(report.description())
			.isEqualTo("'kubernetes.informers.resources.nodes.shard-key' is 'namespace', but "
					+ "'nodes' are cluster-scoped: they are in no namespace");
		assertThat(report.action()).isEqualTo("Set it to 'uid', or to 'none' for all of them on each replica.");
	}

	@Test
	void leaseWhoseNameIsTooLongWithAnIndex(CapturedOutput output) {
		String name = "a".repeat(252);
		BrokenApplication report = BrokenApplication.start(output, Nothing.class, PREFIX + "key=uid",
				PREFIX + "index=0", PREFIX + "total=5", STOPPED, "--kubernetes.leader.enabled=true",
				"--kubernetes.leader.lease.namespace=shop", "--kubernetes.leader.lease.name=" + name);
		assertThat(report.description()).startsWith("The Lease of the leader cannot have the name '" + name + "-4'");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', value = {
			"leases | index=0 | index' is set, but has no effect because 'kubernetes.informers.shard.mode' is 'leases' | Remove 'kubernetes.informers.shard.index': the replicas agree by their Leases",
			"leases | total=5 | total' is set, but has no effect because 'kubernetes.informers.shard.mode' is 'leases' | Remove 'kubernetes.informers.shard.total': the replicas agree by their Leases",
			"static | slots=64 | slots' is set, but has no effect because 'kubernetes.informers.shard.mode' is 'static' | Set 'kubernetes.informers.shard.mode' to 'leases'",
			"static | lease-duration=30s | lease-duration' is set, but has no effect because 'kubernetes.informers.shard.mode' is 'static' | Set 'kubernetes.informers.shard.mode' to 'leases'",
			"leases | slots=0 | slots' is wrong. Invalid number of slots '0': use 1 to 1024, for example 64 | Correct the property",
			"leases | slots=many | slots' is 'many', which is not a number | Set it to a number from 1 to 1024",
			"leases | key=${KEY:} | key' is '${KEY:}', which resolves to an empty value | Set it to 'uid' for even shares",
			"leases | unheld-after=0s | unheld-after' is '0s'; it must be between 1ms and 3650d | Correct the property",
			"leases | renew-deadline=14s | lease-duration' is '15s'; it must be at least 2s more than 'kubernetes.informers.shard.renew-deadline' (14s), so that a replica has given up its slots before another one takes them | Correct the property",
			"leases | cluster=edge | cluster' is 'edge', but no cluster of that name is configured | Correct the name",
			"leases | lease-namespace=Shop | lease-namespace' is 'Shop'; it must be the name of a namespace, or '@current' | Correct the property" })
	void propertyThatDoesNotFitTheMode(String mode, String argument, String problem, String action,
			CapturedOutput output) {
		BrokenApplication report = moving(output, mode, argument);
		assertThat(report.description()).isEqualTo("'kubernetes.informers.shard." + problem);
		assertThat(report.action()).startsWith(action);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = {
			" | Slots move between replicas ('kubernetes.informers.shard.mode' is 'leases'), but the group of the replicas has no name | Set 'spring.application.name'",
			"My Shop | The group of the replicas cannot have the name 'My Shop' (from 'kubernetes.informers.shard.group') | Set 'kubernetes.informers.shard.group' to a DNS label" })
	void groupThatCannotBeNamed(String group, String problem, String action, CapturedOutput output) {
		BrokenApplication report = moving(output, "leases", "group=" + ((group != null) ? group : ""));
		assertThat(report.description()).startsWith(problem);
		assertThat(report.action()).startsWith(action);
	}

	@Test
	void modeThatDoesNotExist(CapturedOutput output) {
		BrokenApplication report = moving(output, "lease", "group=web");
		assertThat(report.description()).contains("kubernetes.informers.shard.mode", "\"lease\"");
		assertThat(report.action()).contains("LEASES", "STATIC");
	}

	private static BrokenApplication moving(CapturedOutput output, String mode, String argument) {
		List<String> arguments = new ArrayList<>(List.of(STOPPED, PREFIX + "mode=" + mode, PREFIX + argument));
		List<String> defaults = mode.equals("static") ? List.of("key=uid")
				: List.of("key=uid", "lease-namespace=shop", "group=web");
		defaults.stream()
			.filter((each) -> !argument.startsWith(each.substring(0, each.indexOf('=') + 1)))
			.forEach((each) -> arguments.add(PREFIX + each));
		return BrokenApplication.start(output, Nothing.class, arguments.toArray(String[]::new));
	}

	private static BrokenApplication start(CapturedOutput output, String key, String index, String total) {
		return BrokenApplication.start(output, Nothing.class, argument("key", key), argument("index", index),
				argument("total", total), STOPPED);
	}

	private static String argument(String name, String value) {
		return (value != null) ? PREFIX + name + "=" + value : "--other=" + name;
	}

	@Configuration(proxyBeanMethods = false)
	static class Nothing {

	}

	@Configuration(proxyBeanMethods = false)
	static class ShardedNodes {

		@Bean
		NodeHandler nodes() {
			return new NodeHandler();
		}

	}

	@InformerHandler(sharded = "${nodes.sharded:true}")
	static class NodeHandler {

		@OnAdd
		void added(V1Node node) {
			assertThat(node).isNotNull();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Nodes {

		Nodes(Lister<V1Node> nodes) {
			assertThat(nodes).isNotNull();
		}

	}

}
