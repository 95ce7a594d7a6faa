package dev.kubeinformer.shard;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.types.Slots;

/**
 * Distribution of a cluster's objects over the replicas of an application. Each object
 * belongs to one of a fixed number of slots, and each slot is held by at most one member
 * at any moment, provided that clocks run at about the same rate.
 * <p>
 * All methods may be called from any thread.
 */
public interface Shards {

	/**
	 * Returns the division of objects into slots.
	 * @return the division
	 */
	Slots division();

	/**
	 * Returns whether this process holds a slot now and is not handing it over. Each call
	 * compares the clocks with the end of the term, so a process that was suspended past
	 * that end notices at once.
	 * @param slot the index of the slot
	 * @return {@code true} if work of the slot may begin
	 */
	boolean owns(int slot);

	/**
	 * Returns whether this process holds the slot of an object now.
	 * @param object the object, whose metadata has the UID and namespace
	 * @return {@code true} if work of the object may begin
	 */
	default boolean owns(KubernetesObject object) {
		return owns(slotOf(object));
	}

	/**
	 * Returns the slot of an object.
	 * @param object the object, whose metadata has the UID and namespace
	 * @return the index of the slot
	 */
	default int slotOf(KubernetesObject object) {
		V1ObjectMeta metadata = object.getMetadata();
		return division().slotOf((metadata != null) ? metadata.getNamespace() : null,
				(metadata != null) ? metadata.getUid() : null);
	}

	/**
	 * Returns the slots that this process holds now, including slots that it is handing
	 * over.
	 * @return the indexes of the slots
	 */
	Set<Integer> slots();

	/**
	 * Returns the live members of the group, including this process.
	 * @return the members in the order of their names
	 */
	List<ShardMember> members();

	/**
	 * Returns the member that holds a slot, as far as this process knows. The slot may
	 * have moved meanwhile.
	 * @param slot the index of the slot
	 * @return the member; {@code null} if no holder is known
	 */
	default @Nullable ShardMember ownerOf(int slot) {
		return members().stream().filter((member) -> member.slots().contains(slot)).findFirst().orElse(null);
	}

	/**
	 * Returns the member that holds the slot of an object, as far as this process knows.
	 * @param object the object, whose metadata has the UID and namespace
	 * @return the member; {@code null} if no holder is known
	 */
	default @Nullable ShardMember ownerOf(KubernetesObject object) {
		return ownerOf(slotOf(object));
	}

	/**
	 * Returns whether the first distribution of slots since the start of the membership
	 * is known.
	 * @return {@code true} if this process knows which slots it should hold. It may be
	 * none, because there are more members than slots
	 */
	boolean isSettled();

	/**
	 * Returns the time without a renewal after which other members consider a member
	 * dead. A request that was rejected or cancelled longer ago than this time has no
	 * effect any more.
	 * @return the duration of the Lease
	 */
	default Duration leaseDuration() {
		return Duration.ofSeconds(15);
	}

	/**
	 * Returns the membership of this process as a leadership: its term is valid while the
	 * Lease of this process is renewed, and slots are held only during the term.
	 * @return the membership
	 */
	Leadership membership();

	/**
	 * Registers work that is divided by slots. If this process holds slots, the work
	 * gains them at once.
	 * @param work the work
	 * @return the registration; closing it stops further calls of the work but does not
	 * cancel it
	 */
	Leadership.Registration register(ShardWork work);

	/**
	 * Adds a listener. The listener is notified of everything that happens after this
	 * call.
	 * @param listener the listener
	 */
	void addListener(ShardListener listener);

	/**
	 * Removes a listener. A notification in progress may end later.
	 * @param listener the listener
	 */
	void removeListener(ShardListener listener);

}
