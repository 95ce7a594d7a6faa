/**
 * Endpoints for the verbs of the API, and the choice of the endpoint for a request.
 */
@NullMarked
package dev.kubeinformer.test.internal.endpoint;

import org.jspecify.annotations.NullMarked;
