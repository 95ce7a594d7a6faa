package dev.kubeinformer.benchmark.large;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.Config;

import dev.kubeinformer.benchmark.custom.Widget;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;

/**
 * Measures one cache in this JVM: the retained heap in total and for each object, the
 * bytes on the wire until it is filled, compressed and inflated, peak memory of the
 * process, CPU time and seconds. Arguments: the kubeconfig; {@code pods} or {@code
 * widgets}; {@code whole} or {@code metadata}; {@code protobuf} or {@code json}; and
 * optionally a namespace, or the index of a shard by UID and the number of shards.
 */
public final class CacheCost {

	private CacheCost() {
	}

	/**
	 * Runs the measurement.
	 * @param args see above
	 * @throws IOException if the kubeconfig cannot be read
	 * @throws InterruptedException if interrupted
	 */
	public static void main(String... args) throws IOException, InterruptedException {
		if (args.length < 4) {
			throw new IllegalArgumentException(
					"Arguments: kubeconfig pods|widgets whole|metadata protobuf|json [namespace, or index and number of shards]");
		}
		Class<? extends KubernetesObject> type = args[1].equals("widgets") ? Widget.class : V1Pod.class;
		InformerSpec<?> spec = args[2].equals("metadata") ? InformerSpec.metadata(type) : InformerSpec.of(type);
		if (args.length == 5) {
			spec = spec.withNamespaces(args[4]);
		}
		if (args.length > 5) {
			spec = spec.withShard(new Shard(ShardKey.UID, Integer.parseInt(args[4]), Integer.parseInt(args[5])));
		}
		ApiClient client;
		try (Reader reader = Files.newBufferedReader(Path.of(args[0]))) {
			client = Config.fromConfig(reader);
		}
		try (MeasuredCache<?> cache = new MeasuredCache<>(client, spec, args[3].equals("protobuf"))) {
			System.out.println("RESULT " + cache.fill());
		}
	}

}
