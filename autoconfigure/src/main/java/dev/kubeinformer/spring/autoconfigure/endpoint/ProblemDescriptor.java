package dev.kubeinformer.spring.autoconfigure.endpoint;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What is wrong with a request to the endpoint.
 *
 * @param error a sentence that names the value and the mend
 */
public record ProblemDescriptor(String error) implements OperationResponseBody {

}
