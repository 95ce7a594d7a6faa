package dev.kubeinformer.sample;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;

/**
 * Application context of one replica in the profile {@code shards}. Not a component, so
 * that the sample itself does not find it.
 *
 * @param shards the distribution of slots
 * @param configMaps the replica's share of the objects
 */
@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
record ShardReplica(Shards shards, Lister<V1ConfigMap> configMaps) {

}
