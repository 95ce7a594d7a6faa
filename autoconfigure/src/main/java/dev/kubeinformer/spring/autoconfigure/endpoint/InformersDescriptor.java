package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.util.List;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * All informers, handlers and reconcilers as the endpoint shows them.
 *
 * @param informers the informers, by id
 * @param handlers the handlers, by id
 * @param reconcilers the reconcilers, by id
 */
public record InformersDescriptor(List<InformerDescriptor> informers, List<HandlerDescriptor> handlers,
		List<ReconcilerDescriptor> reconcilers) implements OperationResponseBody {

}
