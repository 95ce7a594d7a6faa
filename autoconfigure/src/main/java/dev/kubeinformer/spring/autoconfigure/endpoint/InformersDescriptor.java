package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Description of all informers, handlers and reconcilers, of leader election and of slots
 * in the endpoint.
 *
 * @param informers the informers, by id
 * @param handlers the handlers, by id
 * @param reconcilers the reconcilers, by id
 * @param leader the leader election; {@code null} if there is none
 * @param shards the slots that move between the replicas; {@code null} if none move
 */
public record InformersDescriptor(List<InformerDescriptor> informers, List<HandlerDescriptor> handlers,
		List<ReconcilerDescriptor> reconcilers, @Nullable LeaderDescriptor leader,
		@Nullable ShardsDescriptor shards) implements OperationResponseBody {

}
