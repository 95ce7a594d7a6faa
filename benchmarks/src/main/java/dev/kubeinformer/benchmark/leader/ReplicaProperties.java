package dev.kubeinformer.benchmark.leader;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Behaviour of a replica.
 *
 * @param name the name of the replica, which its writes contain
 * @param work the duration of a run before it writes
 * @param pause the pause of the leader between two runs for an object
 * @param blocking whether runs block until they are interrupted
 * @param ballast megabytes of small objects that stay in the heap
 */
@ConfigurationProperties("replica")
record ReplicaProperties(String name, @DefaultValue("0s") Duration work, @DefaultValue("250ms") Duration pause,
		@DefaultValue("false") boolean blocking, @DefaultValue("0") int ballast) {

}
