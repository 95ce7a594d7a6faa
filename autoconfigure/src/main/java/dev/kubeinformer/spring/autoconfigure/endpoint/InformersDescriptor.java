package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Description of all informers, handlers and reconcilers, and of leader election, in the endpoint.
 *
 * @param informers the informers, by id
 * @param handlers the handlers, by id
 * @param reconcilers the reconcilers, by id
 * @param leader the leader election; {@code null} if there is none
 */
public record InformersDescriptor(List<InformerDescriptor> informers, List<HandlerDescriptor> handlers,
		List<ReconcilerDescriptor> reconcilers, @Nullable LeaderDescriptor leader) implements OperationResponseBody {

}
