package dev.kubeinformer.spring.autoconfigure.endpoint;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Problem with a request to the endpoint.
 *
 * @param error a sentence with the value and the remedy
 */
public record ProblemDescriptor(String error) implements OperationResponseBody {

}
