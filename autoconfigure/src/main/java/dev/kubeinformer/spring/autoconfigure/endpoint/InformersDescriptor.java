package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * All informers, handlers and reconcilers, and the election of a leader, as the endpoint
 * shows them.
 *
 * @param informers the informers, by id
 * @param handlers the handlers, by id
 * @param reconcilers the reconcilers, by id
 * @param leader the election of a leader; {@code null} if there is none
 */
public record InformersDescriptor(List<InformerDescriptor> informers, List<HandlerDescriptor> handlers,
		List<ReconcilerDescriptor> reconcilers, @Nullable LeaderDescriptor leader) implements OperationResponseBody {

}
